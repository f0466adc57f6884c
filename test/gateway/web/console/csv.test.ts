import { expect, test } from 'vitest'
import { csv } from '../../../../mock-gateway/web/console/parts/csv.ts'

test.each([
  ['=1', "'=1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@1', "'@1"],
  ['\t=1', "'\t=1"],
  ['\r=1', '"\'\r=1"'],
  ['1=', '1='],
])('attack 86 (csv-out): %j is written as %j', (text, written) =>
  expect(csv([['1', text]])).toBe(`1,${written}\r\n`),
)
