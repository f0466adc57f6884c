<?php

declare(strict_types=1);

/**
 * The test kit of mondido-gateway for PHPUnit, in one file, for PHP 8.1 and newer: `mondido-gateway exec -- phpunit`.
 * A test class that uses the trait MondidoTest has `$this->shop`, a merchant of its own for each test.
 */
final class MondidoGateway
{
    public function __construct(public readonly string $url, private readonly string $controlKey)
    {
    }

    /** The gateway that `mondido-gateway exec` has started. */
    public static function fromEnvironment(): self
    {
        [$url, $key] = [getenv('MONDIDO_BASE_URL'), getenv('MONDIDO_CONTROL_KEY')];
        if (!$url || !$key) {
            throw new RuntimeException('There is no gateway: run the tests by mondido-gateway exec -- phpunit.');
        }
        return new self($url, $key);
    }

    /** True if mondido-gateway answers at this address, and not the real payment service. */
    public static function isMock(string $url): bool
    {
        $context = stream_context_create(['http' => ['ignore_errors' => true, 'timeout' => 10]]);
        $headers = get_headers("$url/v1", true, $context) ?: [];
        return isset(array_change_key_case($headers)['mondido-mock']);
    }

    /** @param array<string, mixed> $settings of the new merchant, as in the merchants file */
    public function shop(array $settings = []): MondidoShop
    {
        // Nobody listens there: a delivery tells what would have been sent.
        $templates = array_map(
            fn (string $trigger) => ['name' => "test_$trigger", 'trigger' => $trigger, 'url' => 'http://127.0.0.1:9/'],
            ['payment', 'payment_success', 'payment_error', 'payment_form', 'recurring_success', 'refund', 'stored_card'],
        );
        $made = $this->control('POST', '/merchants', ['settings' => $settings + ['webhooks' => $templates]]);
        return new MondidoShop($this, $made['id'], $made['password'], $made['secret']);
    }

    /** Saves the data of all merchants, clocks, seeds and forced outcomes under a name. */
    public function saveSnapshot(string $name): array
    {
        return $this->control('POST', '/snapshots', ['name' => $name]);
    }

    /** Restores a snapshot, for all merchants. Accounts stay as they are. */
    public function restoreSnapshot(string $name): array
    {
        return $this->control('POST', '/snapshots/' . rawurlencode($name) . '/restore');
    }

    /** @return list<array<string, mixed>> the snapshots */
    public function snapshots(): array
    {
        return $this->control('GET', '/snapshots')['snapshots'];
    }

    /** Deletes a snapshot. */
    public function deleteSnapshot(string $name): void
    {
        $this->control('DELETE', '/snapshots/' . rawurlencode($name));
    }

    /** Calls the control API. @param array<string, mixed> $parameters @throws MondidoError */
    public function control(string $method, string $path, array $parameters = []): mixed
    {
        return self::send($method, "$this->url/_control$path", $parameters, "X-Control-Key: $this->controlKey");
    }

    /** @param array<string, mixed> $parameters */
    public static function send(string $method, string $address, array $parameters, string $login): mixed
    {
        $parameters += ['locale' => 'en'];
        $isRead = $method === 'GET';
        $http = [
            'method' => $method,
            'header' => [$login, 'Content-Type: application/json'],
            'content' => $isRead ? '' : json_encode($parameters, JSON_THROW_ON_ERROR),
            'ignore_errors' => true,
            'timeout' => 40,
        ];
        $query = $isRead ? '?' . http_build_query($parameters) : '';
        $body = file_get_contents($address . $query, false, stream_context_create(['http' => $http]));
        if ($body === false) {
            throw new RuntimeException("No answer from $address.");
        }
        preg_match('/^\S+ (\d+)/', $http_response_header[0], $status);
        $answer = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
        if ((int) $status[1] < 400) {
            return $answer;
        }
        $explained = preg_grep('/^Mondido-Explain:/i', $http_response_header) ?: [''];
        throw new MondidoError($answer, trim(substr(reset($explained), 16)));
    }
}

/** Error of a rejected call or a declined payment; the message contains the explanation. */
final class MondidoError extends RuntimeException
{
    public readonly string $errorName;

    /** @param array{name: string, code: int, description: string} $error */
    public function __construct(array $error, public readonly string $explanation)
    {
        $this->errorName = $error['name'];
        parent::__construct("{$error['name']} ({$error['code']}): {$error['description']} | $explanation", $error['code']);
    }
}

/** A merchant of one's own, and its clock. */
final class MondidoShop
{
    /** Seconds between two attempts to find a webhook. */
    private const PAUSE = 0.05;

    private static int $orders = 0;

    public function __construct(
        private readonly MondidoGateway $gateway,
        public readonly int $id,
        public readonly string $password,
        public readonly string $secret,
    ) {
    }

    /** Calls the API as this merchant, such as `call('GET', '/v1/transactions/7')`. @throws MondidoError */
    public function call(string $method, string $path, array $parameters = []): mixed
    {
        $login = 'Authorization: Basic ' . base64_encode("$this->id:$this->password");
        return MondidoGateway::send($method, $this->gateway->url . $path, $parameters, $login);
    }

    /** Calls the control API for this merchant, such as `control('POST', '/faults', ['kind' => 'drop'])`. */
    public function control(string $method, string $path, array $parameters = []): mixed
    {
        return $this->gateway->control($method, $path, ['merchant_id' => $this->id] + $parameters);
    }

    /** An order of 10.00 SEK by a card that pays, with a reference of its own and its hash. */
    public function order(array $over = []): array
    {
        $card = ['card_number' => '4111111111111111', 'card_holder' => 'Kim Berg', 'card_expiry' => '1230', 'card_cvv' => '200'];
        $ref = 'php' . getmypid() . '-' . ++self::$orders;
        $order = ['amount' => '10.00', 'currency' => 'sek', 'payment_ref' => $ref, 'test' => true];
        $order = $over + ['merchant_id' => $this->id] + $order + $card;
        return $order + ['hash' => $this->hash($order)];
    }

    /** The hash of an order. */
    public function hash(array $order): string
    {
        $test = ($order['test'] ?? false) ? 'test' : '';
        $customer = $order['customer_ref'] ?? '';
        return md5(
            $this->id . $order['payment_ref'] . $customer . $order['amount'] . strtolower($order['currency']) . $test . $this->secret,
        );
    }

    /** Pays an order and returns its transaction. @throws MondidoError if the bank declines the payment */
    public function pay(array $over = []): array
    {
        return $this->call('POST', '/v1/transactions', $this->order($over));
    }

    /** What the bank says to the next payments: approved, or an error by name or number. */
    public function nextOutcome(string $outcome, int $times = 1): void
    {
        $this->control('POST', '/payments/next', ['outcome' => $outcome, 'times' => $times]);
    }

    /** Moves this merchant's clock, such as `advance(['months' => 1])`. @return list<array<string, mixed>> what happened */
    public function advance(array $by): array
    {
        return $this->control('POST', '/clock/advance', $by)['happened'];
    }

    /** The newest webhook of a trigger, as it was sent or would have been. @throws RuntimeException with the other webhooks */
    public function waitFor(string $trigger, float $seconds = 30): array
    {
        $attempts = max((int) ($seconds / self::PAUSE), 1);
        while ($attempts-- > 0) {
            [$newest] = $this->control('GET', '/webhooks/deliveries', ['trigger' => $trigger, 'limit' => 1]) + [null];
            if ($newest !== null) {
                return json_decode($this->control('GET', "/webhooks/deliveries/{$newest['id']}")['body'], true);
            }
            usleep((int) (self::PAUSE * 1_000_000));
        }
        throw $this->noWebhook($trigger, "$seconds seconds");
    }

    private function noWebhook(string $trigger, string $span): RuntimeException
    {
        $sent = $this->control('GET', '/webhooks/deliveries');
        $came = array_map(fn (array $one) => "{$one['trigger']} of transaction {$one['transaction_id']}", $sent);
        return new RuntimeException("No webhook $trigger came within $span. Webhooks that came: " . (implode(', ', $came) ?: 'none') . '.');
    }

    /**
     * Moves this merchant's clock until a new webhook of a trigger is sent, at most so far.
     * @param array{seconds?: int, days?: int, months?: int} $within
     * @return array<string, mixed>
     */
    public function waitWithin(string $trigger, array $within): array
    {
        $newest = fn () => $this->control('GET', '/webhooks/deliveries', ['trigger' => $trigger, 'limit' => 1])[0]['id'] ?? 0;
        $before = $newest();
        $span = $within + ['seconds' => 0];
        do {
            $moved = $this->control('POST', '/clock/advance', $span + ['until' => $trigger]);
            if ($newest() !== $before) {
                return $this->waitFor($trigger);
            }
            $span = ['seconds' => $moved['seconds_left'] ?? 0];
            // A retry of an earlier webhook also stops the clock; a held webhook does not.
        } while (!$moved['quiet'] || in_array($trigger, array_column($moved['happened'], 'trigger'), true));
        throw $this->noWebhook($trigger, json_encode($within));
    }

    /** Holds new webhooks of one order, or of all. */
    public function holdWebhooks(?string $paymentRef = null): void
    {
        $this->control('POST', '/webhooks/hold', ['payment_ref' => $paymentRef]);
    }

    /** Sends held webhooks in the order of their events, and returns their number. */
    public function releaseWebhooks(?string $paymentRef = null): int
    {
        return $this->control('POST', '/webhooks/release', ['payment_ref' => $paymentRef])['released'];
    }

    /** Forgets all that was done; merchant, settings and secret stay. */
    public function reset(): void
    {
        $this->control('POST', '/reset');
    }

    /** @return list<array<string, mixed>> the last requests, the newest first, with errors and explanations */
    public function requests(): array
    {
        return $this->control('GET', '/requests')['requests'];
    }

    /**
     * Returns the newest request to a route, such as POST /v1/transactions, with these values. Secrets and card numbers
     * are masked. @throws RuntimeException that names the nearest request
     */
    public function sent(string $route, array $where = []): array
    {
        $found = $this->control('POST', '/requests/find', ['route' => $route, 'where' => (object) $where]);
        return $found['request'] ?? throw new RuntimeException($found['message']);
    }

    /** The last requests, with what was wrong, as text. */
    public function story(): string
    {
        $lines = array_map(
            fn (array $one) => "  {$one['at']} {$one['method']} {$one['route']} {$one['status']} {$one['error']} {$one['explain']}",
            array_reverse($this->requests()),
        );
        return "What merchant $this->id asked of the gateway\n" . implode("\n", $lines) . "\n";
    }
}

/** For a TestCase of PHPUnit: a merchant for each test; when one fails, what it asked is told. */
trait MondidoTest
{
    protected MondidoShop $shop;

    /** @before */
    #[PHPUnit\Framework\Attributes\Before]
    protected function openShop(): void
    {
        $this->shop = MondidoGateway::fromEnvironment()->shop();
    }

    /** @after */
    #[PHPUnit\Framework\Attributes\After]
    protected function tellStory(): void
    {
        $failed = method_exists($this, 'hasFailed')
            ? $this->hasFailed()
            : $this->status()->isFailure() || $this->status()->isError();
        if ($failed) {
            fwrite(STDERR, "\n" . $this->shop->story());
        }
    }
}
