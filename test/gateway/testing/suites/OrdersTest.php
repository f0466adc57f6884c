<?php

declare(strict_types=1);

require_once __DIR__ . '/../../../../mock-gateway/testing/MondidoGateway.php';

use PHPUnit\Framework\TestCase;

final class OrdersTest extends TestCase
{
    use MondidoTest;

    public function testPaysAndTellsTheWebhook(): void
    {
        $paid = $this->shop->pay(['amount' => '12.50']);
        $this->assertSame(['approved', '12.50'], [$paid['status'], $paid['amount']]);
        $this->assertSame($paid['id'], $this->shop->waitFor('payment_success')['id']);
    }

    public function testKnowsThatItTalksToTheMock(): void
    {
        $this->assertTrue(MondidoGateway::isMock(getenv('MONDIDO_BASE_URL')));
    }

    public function testTheBankSaysWhatTheTestWants(): void
    {
        $this->shop->nextOutcome('errors.payment.declined');
        try {
            $this->shop->pay();
            $this->fail('It was paid.');
        } catch (MondidoRefused $refused) {
            $this->assertSame(['errors.payment.declined', 129], [$refused->errorName, $refused->getCode()]);
            $this->assertNotSame('', $refused->explanation);
        }
    }

    public function testMovesItsOwnClock(): void
    {
        $terms = ['name' => 'Box', 'interval' => 1, 'interval_unit' => 'months', 'prices' => ['sek' => '99.00']];
        $plan = $this->shop->call('POST', '/v1/plans', $terms);
        $this->shop->pay(['plan_id' => $plan['id'], 'store_card' => true]);
        $happened = $this->shop->advance(['months' => 3]);
        $this->assertCount(3, array_filter($happened, fn (array $one) => $one['kind'] === 'charge'));
    }

    public function testForgets(): void
    {
        $this->shop->pay();
        $this->shop->reset();
        $this->assertSame([], $this->shop->call('GET', '/v1/transactions'));
    }

    public function testTellsItsStoryWhenItFails(): void
    {
        if (!getenv('FAIL')) {
            $this->markTestSkipped('It fails on purpose.');
        }
        $this->shop->pay(['hash' => 'wrong']);
    }
}
