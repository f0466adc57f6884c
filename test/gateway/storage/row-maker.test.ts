import { expect, test } from 'vitest'
import { rowMakerOf } from '../../../mock-gateway/storage/row-maker.ts'

test('a row has its columns in order, whatever their names', () => {
  const names = ['id', 'count(*)', 'a "quoted" name', 'max(id) as']
  const row = rowMakerOf(names)([1, 2, null, 'text'])
  expect(Object.entries(row)).toEqual([
    ['id', 1],
    ['count(*)', 2],
    ['a "quoted" name', null],
    ['max(id) as', 'text'],
  ])
})

test('rows of equal columns are made by one function', () =>
  expect(rowMakerOf(['id', 'ref'])).toBe(rowMakerOf(['id', 'ref'])))
