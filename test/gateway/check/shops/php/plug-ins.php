<?php
// Small shops for `php -S` whose handlers do what the code of old plug-ins does. PLUG_IN is woocommerce, prestashop or magento.

const AMOUNT = '100.00';
const CURRENCY = 'sek';
define('GATEWAY', getenv('MONDIDO_BASE_URL'));
define('MERCHANT', getenv('MONDIDO_MERCHANT_ID'));
define('SECRET', getenv('MONDIDO_SECRET'));
define('PLUG_IN', getenv('PLUG_IN'));
define('FOLDER', getenv('SHOP_FOLDER'));

class GatewayError extends Exception {}

function call(string $method, string $path, array $fields = []): array
{
    $curl = curl_init(GATEWAY . '/v1' . $path);
    curl_setopt_array($curl, [
        CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 40, CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_USERPWD => MERCHANT . ':' . getenv('MONDIDO_PASSWORD'),
    ] + ($fields ? [CURLOPT_POSTFIELDS => http_build_query($fields)] : []));
    $answer = json_decode((string) curl_exec($curl), true);
    if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) !== 200 || !is_array($answer)) throw new GatewayError();
    return $answer;
}

function read_order(string $ref): ?array
{
    return preg_match('/^[a-z0-9]{12}$/', $ref) ? json_decode((string) @file_get_contents(FOLDER . "/$ref"), true) : null;
}

/** Writes the order as it was read, as old shops do: another process may have changed it meanwhile. */
function write_order(string $ref, array $order): void
{
    file_put_contents(FOLDER . "/$ref", json_encode($order), LOCK_EX);
}

/** Completes an order that is open. The goods are counted apart, so that two completions at once are seen. */
function complete(string $ref): void
{
    $order = read_order($ref);
    if ($order['status'] === 'paid') return;
    usleep(500_000); // Mails, stock and plug-ins of a real shop.
    file_put_contents(FOLDER . "/$ref.sent", 'x', FILE_APPEND);
    write_order($ref, ['status' => 'paid'] + read_order($ref));
}

/** The hash of an answer, with amount and currency of the transaction that was read from the gateway. */
function is_genuine(array $transaction, string $ref, string $status, string $hash): bool
{
    return hash_equals(md5(MERCHANT . $ref . $transaction['amount'] . strtolower($transaction['currency']) . strtolower($status) . SECRET), $hash);
}

function is_paid(array $transaction): bool
{
    return in_array($transaction['status'], ['approved', 'authorized']);
}

/** WooCommerce and PrestaShop: verify the hash, read the transaction, and believe its status. */
function settle(string $ref, array $sent, string $hash): int
{
    $transaction = call('GET', '/transactions/' . (int) ($sent['id'] ?? $sent['transaction_id'] ?? 0));
    if (($sent['payment_ref'] ?? '') !== $ref || !is_genuine($transaction, $ref, $sent['status'] ?? '', $hash)) return 400;
    if (is_paid($transaction)) complete($ref);
    if (PLUG_IN === 'prestashop') {
        $refunds = array_sum(array_column($transaction['refunds'], 'amount'));
        write_order($ref, ['refunded' => number_format($refunds, 2, '.', '')] + read_order($ref));
    }
    return 200;
}

/** Runs one handler of an order at a time. @param callable $busy runs while another handler has the lock, and returns a status to give up */
function locked(string $ref, callable $work, callable $busy): int
{
    while (!@mkdir(FOLDER . "/$ref.lock")) if ($status = $busy()) return $status;
    try {
        return $work();
    } finally {
        rmdir(FOLDER . "/$ref.lock");
    }
}

function on_webhook(string $body): int
{
    parse_str($body, $form);
    $sent = PLUG_IN === 'woocommerce' ? json_decode($body, true) : $form;
    $ref = $sent['payment_ref'] ?? '';
    if (!is_array($sent) || !read_order($ref)) return 400;
    $settle = fn () => settle($ref, $sent, $sent['response_hash'] ?? '');
    if (PLUG_IN === 'prestashop') return locked($ref, $settle, fn () => 429);
    if (PLUG_IN === 'woocommerce') {
        while (is_dir(FOLDER . "/$ref.lock")) usleep(100_000); // The return handler has the lock. Webhooks take none.
        return $settle();
    }
    // Magento verifies no hash, and compares the amount as text.
    if (($sent['amount'] ?? '') !== AMOUNT) return 400;
    if (is_paid(call('GET', '/transactions/' . (int) $sent['id']))) complete($ref);
    return 200;
}

function on_return(string $ref): int
{
    if (PLUG_IN === 'magento') return 200;
    return locked($ref, fn () => settle($ref, $_GET, $_GET['hash'] ?? ''), fn () => usleep(50_000));
}

function buy(string $here): string
{
    $ref = bin2hex(random_bytes(6));
    write_order($ref, ['status' => 'open', 'amount' => AMOUNT, 'currency' => CURRENCY, 'refunded' => '0.00']);
    $hook = fn ($trigger) => [
        'trigger' => $trigger, 'url' => "$here/hook", 'http_method' => 'post',
        'data_format' => PLUG_IN === 'woocommerce' ? 'json' : 'form_data',
    ];
    return call('POST', '/transactions', [
        'payment_ref' => $ref, 'amount' => AMOUNT, 'currency' => CURRENCY, 'test' => 'true', 'process' => 'false',
        'hash' => md5(MERCHANT . $ref . AMOUNT . CURRENCY . 'test' . SECRET),
        'success_url' => "$here/back/$ref", 'error_url' => "$here/back/$ref",
        'webhook' => json_encode(PLUG_IN === 'prestashop' ? [$hook('payment'), $hook('refund')] : [$hook('payment')]),
    ])['href'];
}

$here = "http://{$_SERVER['HTTP_HOST']}";
[, $first, $second] = explode('/', parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) . '//');
try {
    if ($first === 'buy') {
        header('Location: ' . buy($here), true, 303);
    } elseif ($first === 'hook') {
        http_response_code(on_webhook(file_get_contents('php://input')));
    } elseif ($first === 'back' && read_order($second)) {
        http_response_code(on_return($second));
    } elseif ($first === 'orders' && $order = read_order(basename($second, '.json'))) {
        $sent = FOLDER . '/' . basename($second, '.json') . '.sent';
        header('Content-Type: application/json');
        echo json_encode(['fulfilled' => is_file($sent) ? filesize($sent) : 0] + $order);
    } else {
        http_response_code(404);
    }
} catch (GatewayError) {
    http_response_code($first === 'hook' ? 500 : 503);
}
