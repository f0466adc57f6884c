import { expect, test } from 'vitest'
import { TEST_CARDS } from '../../../mock-gateway/domain/card/test-cards.ts'
import { DOCUMENTS, read } from '../../helpers/documents.ts'

test('only docs/reference/test-cards.md has the table of 3-D Secure cases', () => {
  const cases = (file: string) =>
    new Set(
      [...read(file).matchAll(/^\| (\d+) \| .*`4\d{15}`/gm)].map(([, number]) => Number(number)),
    )
  const known = [...TEST_CARDS.values()].flatMap(({ threeDSecure }) => threeDSecure ?? [])
  expect(cases('docs/reference/test-cards.md')).toEqual(new Set(known))
  for (const file of DOCUMENTS.filter((name) => name !== 'docs/reference/test-cards.md'))
    expect(cases(file).size, file).toBe(0)
})

test('docs/reference/test-cards.md has every test card once, with its case and its brand', () => {
  const [, ...tables] = read('docs/reference/test-cards.md').split(/^(?=\| (?:Case|Brand) \|)/m)
  const told = tables.flatMap((table) => {
    const [head = [], ...rows] = rowsOf(table)
    return rows.flatMap(([first = '', ...cells]) => {
      const threeDSecure = Number(first)
      const brand = threeDSecure > 0 ? head.at(-1) : first
      const card = { brand: brand?.toLowerCase(), ...(threeDSecure > 0 && { threeDSecure }) }
      return (cells.at(-1)?.match(/\d{13,16}/g) ?? []).map((number) => [number, card] as const)
    })
  })
  expect(told).toHaveLength(TEST_CARDS.size)
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(TEST_CARDS))
})

test('docs/reference/test-cards.md has the same results for each brand', () => {
  const [, visa = [], ...others] = read('docs/reference/test-cards.md')
    .split(/^(?=\| Case \|)/m)
    .map((table) => rowsOf(table).map(([number, result]) => `${number} ${result}`))
  expect(others).toHaveLength(6)
  for (const brand of others) expect(brand).toEqual(visa)
})

/** Returns the cells of the table at the start of a text. */
const rowsOf = (table: string): string[][] =>
  (table.split('\n\n')[0]?.match(/^\|(?!-).*\|$/gm) ?? []).map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
