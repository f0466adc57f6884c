<?php

declare(strict_types=1);

require_once __DIR__ . '/../../../../mock-gateway/testing/MondidoGateway.php';

use PHPUnit\Framework\TestCase;

final class OrdersTest extends TestCase
{
    use MondidoTest;

    public function testPaysAndReceivesTheWebhook(): void
    {
        $paid = $this->shop->pay(['amount' => '12.50']);
        $this->assertSame(['approved', '12.50'], [$paid['status'], $paid['amount']]);
        $this->assertSame($paid['id'], $this->shop->waitFor('payment_success')['id']);
    }

    public function testRecognisesTheMock(): void
    {
        $this->assertTrue(MondidoGateway::isMock(getenv('MONDIDO_BASE_URL')));
    }

    public function testLetsTheBankDeclineTheNextPayment(): void
    {
        $this->shop->nextOutcome('errors.payment.declined');
        try {
            $this->shop->pay();
            $this->fail('It was paid.');
        } catch (MondidoError $refused) {
            $this->assertSame(['errors.payment.declined', 129], [$refused->errorName, $refused->getCode()]);
            $this->assertNotSame('', $refused->explanation);
        }
        $this->assertSame('approved', $this->shop->pay()['status']);
    }

    public function testMovesItsOwnClock(): void
    {
        $terms = ['name' => 'Box', 'interval' => 1, 'interval_unit' => 'months', 'prices' => ['sek' => '99.00']];
        $plan = $this->shop->call('POST', '/v1/plans', $terms);
        $this->shop->pay(['plan_id' => $plan['id'], 'store_card' => true]);
        $happened = $this->shop->advance(['months' => 3]);
        $this->assertCount(3, array_filter($happened, fn (array $one) => $one['kind'] === 'charge'));
    }

    public function testListsARejectedRequestWithItsExplanation(): void
    {
        try {
            $this->shop->pay(['hash' => 'wrong']);
            $this->fail('It was paid.');
        } catch (MondidoError) {
            [$request] = $this->shop->requests();
            $this->assertSame([400, 'errors.hash.invalid'], [$request['status'], $request['error']]);
            $this->assertStringContainsString('hash', $request['explain']);
        }
    }

    public function testFindsARequestByItsValuesOrNamesTheNearest(): void
    {
        $this->shop->pay(['amount' => '12.50']);
        $this->assertSame('sek', $this->shop->sent('POST /v1/transactions', ['amount' => '12.50'])['sent']['currency']);
        $this->expectExceptionMessageMatches('/has amount "12.50"/');
        $this->shop->sent('POST /v1/transactions', ['amount' => '1.00']);
    }

    public function testWaitsForAChargeByMovingItsClock(): void
    {
        $terms = ['name' => 'Box', 'interval' => 1, 'interval_unit' => 'months', 'prices' => ['sek' => '99.00']];
        $plan = $this->shop->call('POST', '/v1/plans', $terms);
        $this->shop->pay(['plan_id' => $plan['id'], 'store_card' => true]);
        $this->assertSame('99.00', $this->shop->waitWithin('recurring_success', ['months' => 2])['amount']);
        $this->expectExceptionMessageMatches('/No webhook refund/');
        $this->shop->waitWithin('refund', ['days' => 40]);
    }

    public function testNamesTheWebhooksThatCameInstead(): void
    {
        $paid = $this->shop->pay();
        $this->expectExceptionMessageMatches("/No webhook refund .* payment_success of transaction {$paid['id']}/");
        $this->shop->waitFor('refund', 0.1);
    }

    public function testHoldsTheWebhooksOfOneOrderUntilTheirRelease(): void
    {
        $this->shop->holdWebhooks('held');
        $this->shop->pay(['payment_ref' => 'held']);
        $this->shop->pay(['payment_ref' => 'sent']);
        $this->assertSame([2, 0], [$this->shop->releaseWebhooks('held'), $this->shop->releaseWebhooks()]);
    }

    public function testSignsAnOrder(): void
    {
        $order = $this->shop->order(['amount' => '7.00', 'customer_ref' => 'C1']);
        $this->assertSame('7.00', $this->shop->call('POST', '/v1/transactions', $order)['amount']);
    }

    public function testResetsItsOwnMerchantOnly(): void
    {
        $other = MondidoGateway::fromEnvironment()->shop();
        $this->shop->pay();
        $other->pay();
        $this->shop->reset();
        $count = fn (MondidoShop $shop) => count($shop->call('GET', '/v1/transactions'));
        $this->assertSame([0, 1], [$count($this->shop), $count($other)]);
    }

    public function testSavesAndRestoresASnapshot(): void
    {
        $gateway = MondidoGateway::fromEnvironment();
        $paid = $this->shop->pay();
        $saved = $gateway->saveSnapshot('one-order');
        $this->shop->pay();
        $this->assertSame($saved, $gateway->restoreSnapshot('one-order'));
        $this->assertSame([$paid['id']], array_column($this->shop->call('GET', '/v1/transactions'), 'id'));
        $this->assertSame(['one-order'], array_column($gateway->snapshots(), 'name'));
        $gateway->deleteSnapshot('one-order');
        $this->assertSame([], $gateway->snapshots());
    }

    public function testFailsWithItsRequestsInTheReport(): void
    {
        if (!getenv('FAIL')) {
            $this->markTestSkipped('It fails on purpose.');
        }
        $this->shop->pay(['hash' => 'wrong']);
    }
}
