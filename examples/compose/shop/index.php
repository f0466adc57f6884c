<?php
// A shop in one file: an order, the payment page of the gateway, the way back, and the webhook that decides.
// The gateway has two addresses: GATEWAY for this server, and another for the payer's browser, which it puts in `href` itself.
[$gateway, $shop, $inside, $merchant, $password, $secret] = array_map(
    fn ($name) => getenv($name) ?: exit("Set $name, as compose.yaml does.\n"),
    ['GATEWAY', 'SHOP', 'SHOP_FOR_GATEWAY', 'MERCHANT', 'PASSWORD', 'SECRET']
);
$paid = sys_get_temp_dir() . '/paid-orders.txt';
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);

// The gateway calls here. It signs nothing that an order does not have, so the hash is the proof.
if ($path === '/webhook') {
    $event = json_decode(file_get_contents('php://input'), true);
    $text = $merchant . $event['payment_ref'] . ($event['ref'] ?? '') . $event['amount'] . $event['currency'];
    $proof = md5($text . $event['status'] . $secret);
    if (!hash_equals($proof, $event['response_hash'] ?? '')) exit(http_response_code(400));
    if ($event['status'] === 'approved') file_put_contents($paid, "{$event['payment_ref']}\n", FILE_APPEND | LOCK_EX);
    exit('ok');
}

if ($path === '/pay') {
    $order = ['payment_ref' => 'P' . bin2hex(random_bytes(4)), 'amount' => '10.00', 'currency' => 'sek', 'test' => 'true'];
    $order['hash'] = md5($merchant . $order['payment_ref'] . $order['amount'] . $order['currency'] . 'test' . $secret);
    $order += ['process' => 'false', 'success_url' => "$shop/back", 'error_url' => "$shop/back", 'locale' => 'en',
               'webhook' => json_encode(['trigger' => 'payment', 'url' => "$inside/webhook", 'http_method' => 'post',
                                         'data_format' => 'json'])];
    $call = curl_init("$gateway/v1/transactions");
    curl_setopt_array($call, [CURLOPT_USERPWD => "$merchant:$password", CURLOPT_POSTFIELDS => http_build_query($order),
                              CURLOPT_RETURNTRANSFER => true]);
    $transaction = json_decode(curl_exec($call), true);
    exit(header('Location: ' . ($transaction['href'] ?? '/?sorry=' . urlencode($transaction['description'] ?? 'No answer'))));
}

$orders = is_file($paid) ? array_reverse(file($paid, FILE_IGNORE_NEW_LINES)) : [];
?>
<!doctype html><html lang="en"><meta charset="utf-8"><title>A shop in PHP</title>
<h1>A shop in PHP</h1>
<p><?= htmlspecialchars($_GET['sorry'] ?? ($path === '/back' ? 'Welcome back.' : '')) ?></p>
<form action="/pay" method="post"><button>Pay 10.00 SEK</button></form>
<h2>Paid, as the webhook says</h2>
<ul><?php foreach ($orders as $ref) echo '<li>' . htmlspecialchars($ref) . '</li>'; ?></ul>
