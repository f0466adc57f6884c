/** Data of a sample: a merchant, and the gateway's address. */
export interface SampleFacts {
  /** For example `http://localhost:4400`. */
  readonly at: string
  readonly id: string
  readonly password: string
  readonly secret: string
  /** MMYY. */
  readonly expiry: string
}

/** The first payment in one language. */
export interface Sample {
  readonly language: string
  /** Command that runs it. */
  readonly run: string
  readonly code: string
}

/** Placeholders for data of a merchant that are not public. */
export const UNKNOWN = { id: 'MERCHANT_ID', password: 'PASSWORD', secret: 'SECRET' }

/**
 * Builds samples of a first payment: the hash is calculated as in the shop (specification:
 * Authentication 3).
 */
export const samples = (facts: SampleFacts): Sample[] => [
  { language: 'curl', run: 'in a shell', code: curl(facts) },
  { language: 'PHP', run: 'php pay.php', code: php(facts) },
  { language: 'Ruby', run: 'ruby pay.rb', code: ruby(facts) },
  { language: 'Python', run: 'python3 pay.py', code: python(facts) },
  { language: 'JavaScript', run: 'node pay.mjs', code: javascript(facts) },
  { language: 'C#', run: 'dotnet run', code: csharp(facts) },
]

const curl = ({ at, id, password, secret, expiry }: SampleFacts) => `REF=c$(date +%s)
HASH=$(printf '%s' "${id}\${REF}10.00sektest${secret}" | openssl md5 | sed 's/.* //')
curl -u ${id}:${password} ${at}/v1/transactions \\
  -d amount=10.00 -d currency=sek -d test=true -d payment_ref=$REF -d hash=$HASH \\
  -d card_holder='Kim Berg' -d card_number=4111111111111111 \\
  -d card_expiry=${expiry} -d card_cvv=200 -d card_type=VISA
`

const php = ({ at, id, password, secret, expiry }: SampleFacts) => `<?php
$ref = 'p' . time();
$order = [
    'amount' => '10.00', 'currency' => 'sek', 'test' => 'true', 'payment_ref' => $ref,
    'hash' => md5('${id}' . $ref . '10.00' . 'sek' . 'test' . '${secret}'),
    'card_holder' => 'Kim Berg', 'card_number' => '4111111111111111',
    'card_expiry' => '${expiry}', 'card_cvv' => '200', 'card_type' => 'VISA',
];
$options = ['http' => [
    'method' => 'POST',
    'header' => "Content-Type: application/x-www-form-urlencoded\\r\\n"
        . 'Authorization: Basic ' . base64_encode('${id}:${password}'),
    'content' => http_build_query($order),
    'ignore_errors' => true,
]];
echo file_get_contents('${at}/v1/transactions', false, stream_context_create($options));
`

const ruby = ({ at, id, password, secret, expiry }: SampleFacts) => `require 'digest'
require 'net/http'

ref = "r#{Time.now.to_i}"
order = {
  amount: '10.00', currency: 'sek', test: 'true', payment_ref: ref,
  hash: Digest::MD5.hexdigest("${id}#{ref}10.00sektest${secret}"),
  card_holder: 'Kim Berg', card_number: '4111111111111111',
  card_expiry: '${expiry}', card_cvv: '200', card_type: 'VISA'
}
uri = URI('${at}/v1/transactions')
request = Net::HTTP::Post.new(uri)
request.basic_auth('${id}', '${password}')
request.set_form_data(order)
answer = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') do |http|
  http.request(request)
end
puts answer.body
`

const python = ({ at, id, password, secret, expiry }: SampleFacts) => `import base64
import hashlib
import time
import urllib.error
import urllib.parse
import urllib.request

ref = f"y{int(time.time())}"
order = {
    "amount": "10.00", "currency": "sek", "test": "true", "payment_ref": ref,
    "hash": hashlib.md5(f"${id}{ref}10.00sektest${secret}".encode()).hexdigest(),
    "card_holder": "Kim Berg", "card_number": "4111111111111111",
    "card_expiry": "${expiry}", "card_cvv": "200", "card_type": "VISA",
}
request = urllib.request.Request("${at}/v1/transactions", urllib.parse.urlencode(order).encode())
request.add_header("Authorization", "Basic " + base64.b64encode(b"${id}:${password}").decode())
try:
    answer = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    answer = error
print(answer.read().decode())
`

const javascript = ({
  at,
  id,
  password,
  secret,
  expiry,
}: SampleFacts) => `import { createHash } from 'node:crypto'

const ref = \`j\${Math.floor(Date.now() / 1000)}\`
const order = {
  amount: '10.00', currency: 'sek', test: 'true', payment_ref: ref,
  hash: createHash('md5').update(\`${id}\${ref}10.00sektest${secret}\`).digest('hex'),
  card_holder: 'Kim Berg', card_number: '4111111111111111',
  card_expiry: '${expiry}', card_cvv: '200', card_type: 'VISA',
}
const answer = await fetch('${at}/v1/transactions', {
  method: 'POST',
  headers: { Authorization: \`Basic \${btoa('${id}:${password}')}\` },
  body: new URLSearchParams(order),
})
console.log(await answer.text())
`

const csharp = ({
  at,
  id,
  password,
  secret,
  expiry,
}: SampleFacts) => `using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;

var paymentRef = $"d{DateTimeOffset.UtcNow.ToUnixTimeSeconds()}";
var hashed = MD5.HashData(Encoding.UTF8.GetBytes($"${id}{paymentRef}10.00sektest${secret}"));
var order = new Dictionary<string, string>
{
    ["amount"] = "10.00", ["currency"] = "sek", ["test"] = "true", ["payment_ref"] = paymentRef,
    ["hash"] = Convert.ToHexString(hashed).ToLowerInvariant(),
    ["card_holder"] = "Kim Berg", ["card_number"] = "4111111111111111",
    ["card_expiry"] = "${expiry}", ["card_cvv"] = "200", ["card_type"] = "VISA",
};
using var client = new HttpClient();
var login = Convert.ToBase64String(Encoding.UTF8.GetBytes("${id}:${password}"));
client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Basic", login);
var answer = await client.PostAsync("${at}/v1/transactions", new FormUrlEncodedContent(order));
Console.WriteLine(await answer.Content.ReadAsStringAsync());
`
