import { expect, test } from 'vitest'
import { indentJson } from '../../../mock-gateway/domain/json.ts'

test.each([
  [
    'an object keeps its digits',
    '{"a":1.50,"b":[12345678901234567890]}',
    '{\n  "a": 1.50,\n  "b": [\n    12345678901234567890\n  ]\n}',
  ],
  ['another text is unchanged', 'a=1&b=2', 'a=1&b=2'],
  ['cut JSON is unchanged', '{"a":1', '{"a":1'],
  ['a page is unchanged', '<html>', '<html>'],
])('indented JSON: %s', (_, text, indented) => {
  expect(indentJson(text)).toBe(indented)
})
