import { expect, test } from 'vitest'
import { findShopError } from '../../../../mock-gateway/web/console/webhooks/attempts.ts'

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
  ['Internal Server Error', undefined],
  ['{"ok":true}', undefined],
  ['', undefined],
])('the error of a shop is found in its answer %j', (body, error) =>
  expect(findShopError(body)).toBe(error),
)
