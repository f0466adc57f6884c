<?php
// A small shop for `php -S`: /buy, a return address, a webhook handler, and /orders/<ref>.json. FAULT plants one mistake.

const AMOUNT = '100.00';
const CURRENCY = 'sek';
define('GATEWAY', getenv('MONDIDO_BASE_URL'));
define('MERCHANT', getenv('MONDIDO_MERCHANT_ID'));
define('SECRET', getenv('MONDIDO_SECRET'));
define('FAULT', (string) getenv('FAULT'));
define('FOLDER', getenv('SHOP_FOLDER'));

class GatewayError extends Exception {}

function call(string $method, string $path, array $fields = []): array
{
    $curl = curl_init(GATEWAY . '/v1' . $path);
    curl_setopt_array($curl, [
        CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 10, CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_USERPWD => MERCHANT . ':' . getenv('MONDIDO_PASSWORD'),
    ] + ($fields ? [CURLOPT_POSTFIELDS => http_build_query($fields)] : []));
    $answer = json_decode((string) curl_exec($curl), true);
    if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) !== 200 || !is_array($answer)) throw new GatewayError();
    return $answer;
}

/** Changes an order while no other process does. @param callable $change gets the order and returns it, or null to keep it */
function change_order(string $ref, callable $change): ?array
{
    if (!preg_match('/^[a-z0-9]{12}$/', $ref)) return null;
    $file = @fopen(FOLDER . "/$ref", 'r+');
    if (!$file) return null;
    flock($file, LOCK_EX);
    $order = json_decode(stream_get_contents($file), true);
    $changed = $change($order);
    if ($changed !== null) {
        ftruncate($file, 0);
        rewind($file);
        fwrite($file, json_encode($changed));
    }
    fclose($file);
    return $changed ?? $order;
}

function read_order(string $ref): ?array
{
    return change_order($ref, fn () => null);
}

/** Sends the goods of an order, once. @param string $channel return or webhook */
function fulfil(string $ref, string $channel): void
{
    if (FAULT === 'lets two processes complete one order object') { // woocommerce-payments 3345
        $order = read_order($ref);
        usleep(200_000);
        if ($order['status'] === 'open') change_order($ref, fn ($now) => ['status' => 'paid', 'fulfilled' => $now['fulfilled'] + 1] + $now);
        return;
    }
    change_order($ref, function ($order) use ($channel) {
        $isDone = $order['status'] === 'paid';
        if (FAULT === 'makes an order from the return and another from the webhook') $isDone = in_array($channel, $order['channels'] ?? []); // woocommerce-paypal-payments 3946 and 4173
        if (FAULT === 'fulfils at every return' && $channel === 'return') $isDone = false;
        if ($isDone) return null;
        return ['status' => 'paid', 'fulfilled' => $order['fulfilled'] + 1, 'channels' => [...$order['channels'] ?? [], $channel]] + $order;
    });
}

/** Reads the payment from the gateway and brings the order in line with it. */
function settle(string $ref, string $channel): void
{
    $found = call('GET', '/transactions?' . http_build_query(['filter[payment_ref]' => $ref, 'filter[status]' => 'approved']));
    foreach ($found as $paid) {
        if ($paid['amount'] !== AMOUNT || strtolower($paid['currency']) !== CURRENCY) continue;
        fulfil($ref, $channel);
        $refunds = array_column(call('GET', "/transactions/{$paid['id']}")['refunds'], 'amount');
        change_order($ref, fn ($order) => ['refunded' => number_format(array_sum($refunds), 2, '.', '')] + $order);
    }
}

function buy(string $here): string
{
    $ref = bin2hex(random_bytes(6));
    $amount = FAULT === 'shows the amount in hundredths' ? '10000' : AMOUNT;
    $order = ['status' => 'open', 'fulfilled' => 0, 'amount' => $amount, 'currency' => CURRENCY, 'refunded' => '0.00', 'visited' => false];
    file_put_contents(FOLDER . "/$ref", json_encode($order));
    $hook = fn ($trigger) => ['trigger' => $trigger, 'url' => "$here/hook", 'http_method' => 'post', 'data_format' => 'json'];
    return call('POST', '/transactions', [
        'payment_ref' => $ref, 'amount' => AMOUNT, 'currency' => CURRENCY, 'test' => 'true', 'process' => 'false',
        'hash' => md5(MERCHANT . $ref . AMOUNT . CURRENCY . 'test' . SECRET),
        'success_url' => "$here/back/$ref", 'error_url' => "$here/back/$ref",
        'webhook' => json_encode([$hook('payment'), $hook('refund')]),
    ])['href'];
}

function is_signed(string $body): bool
{
    $key = hash_hkdf('sha256', SECRET, 32, 'mondido webhook signature', 'merchant ' . MERCHANT);
    [$id, $timestamp, $sent] = [$_SERVER['HTTP_WEBHOOK_ID'] ?? '', $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? ''];
    if (abs(time() - (int) $timestamp) > 300) return false;
    if (FAULT === 'verifies the signature of JSON that it wrote itself') $body = json_encode(json_decode($body));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    return in_array(true, array_map(fn ($one) => hash_equals($expected, $one), explode(' ', $sent)));
}

function on_webhook(string $body): int
{
    $lock = FOLDER . '/webhook.lock';
    if (FAULT === 'leaves its lock after a broken webhook' && @fopen($lock, 'x') === false) return 200;
    if (FAULT !== 'believes every webhook' && FAULT !== 'leaves its lock after a broken webhook' && !is_signed($body)) return 403;
    $event = json_decode($body, true);
    if (!is_array($event)) return 400;
    @unlink($lock);
    $order = read_order($event['payment_ref']);
    if (!$order) return 404;
    if (FAULT === 'ignores a webhook that comes before the return' && !$order['visited']) return 200; // woocommerce-payments 3783
    if (FAULT === 'believes every webhook' && $event['status'] === 'approved') fulfil($event['payment_ref'], 'webhook');
    settle($event['payment_ref'], 'webhook');
    return 200;
}

function on_return(string $ref): void
{
    change_order($ref, fn ($order) => ['visited' => true] + $order);
    $isBelieved = FAULT === 'believes the status in the return address' && ($_GET['status'] ?? '') === 'approved';
    if ($isBelieved || FAULT === 'thanks every payer who returns') fulfil($ref, 'return');
    settle($ref, 'return');
}

$here = "http://{$_SERVER['HTTP_HOST']}";
[, $first, $second] = explode('/', parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) . '//');
try {
    if ($first === 'buy') {
        header('Location: ' . buy($here), true, 303);
    } elseif ($first === 'hook') {
        http_response_code(on_webhook(file_get_contents('php://input')));
    } elseif ($first === 'back' && read_order($second)) {
        on_return($second);
    } elseif ($first === 'orders' && $order = read_order(basename($second, '.json'))) {
        header('Content-Type: application/json');
        echo json_encode($order);
    } else {
        http_response_code(404);
    }
} catch (GatewayError) {
    http_response_code($first === 'hook' ? 500 : 503);
}
