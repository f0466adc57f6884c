import { expect, test } from 'vitest'
import {
  findShopError,
  findShopLine,
} from '../../../../mock-gateway/web/console/webhooks/attempts.ts'

test.each([
  [
    '<h1>Fatal error</h1>\nUncaught TypeError: Shop::paid(): null given in src/Shop.php:88\n#0 {main}',
    'Uncaught TypeError: Shop::paid(): null given in src/Shop.php:88',
  ],
  [
    'Error: connect ECONNREFUSED 127.0.0.1:5432\n    at Socket (node:net:1)',
    'Error: connect ECONNREFUSED 127.0.0.1:5432',
  ],
  [
    '<html><body><pre>NoMethodError (undefined method `id&#39; for nil)</pre></body></html>',
    'NoMethodError (undefined method `id&#39; for nil)',
  ],
  [
    '<h1>Internal Server Error</h1><pre>TypeError: order is undefined\n    at pay (/srv/shop/pay.js:88:3)</pre>',
    'TypeError: order is undefined',
  ],
  [
    'Traceback (most recent call last):\n  File "/srv/shop.py", line 7, in pay\nKeyError: \'id\'',
    "KeyError: 'id'",
  ],
  [
    '<h1>NoMethodError in WebhooksController#create</h1>',
    'NoMethodError in WebhooksController#create',
  ],
  ['SQLSTATE[HY000] [2002] Connection refused', 'SQLSTATE[HY000] [2002] Connection refused'],
  ['Internal Server Error', undefined],
  ['<title>500 Internal Server Error</title>', undefined],
  ['{"ok":true}', undefined],
  ['', undefined],
])('the error of a shop is found in its answer %j', (body, error) =>
  expect(findShopError(body)).toBe(error),
)

test.each([
  [
    'TypeError: x\n    at a (/srv/node_modules/a.js:1:1)\n    at pay (/srv/pay.mjs:88:3)',
    'line 88 of /srv/pay.mjs',
  ],
  [
    'Uncaught TypeError: null given in /srv/src/Shop.php:88\n#0 /srv/vendor/a.php(41)',
    'line 88 of /srv/src/Shop.php',
  ],
  ['Fatal error: Uncaught Error in C:\\shop\\pay.php on line 9', 'line 9 of C:\\shop\\pay.php'],
  [
    'Traceback (most recent call last):\n  File "/srv/run.py", line 7\n  File "/srv/pay.py", line 9',
    'line 9 of /srv/pay.py',
  ],
  ["app/models/order.rb:88:in 'pay': no id (KeyError)", 'line 88 of app/models/order.rb'],
  ['   at Shop.Pay() in /src/Pay.cs:line 12', 'line 12 of /src/Pay.cs'],
  ['  at shop.Pay.run(Pay.java:30)', 'line 30 of Pay.java'],
  ['Internal Server Error', undefined],
])('the line of the shop’s code is found in %j', (body, line) =>
  expect(findShopLine(body)).toBe(line),
)
