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

test('docs/reference/test-cards.md has every test card once, in the row of its case and the column of its brand', () => {
  const [, ...tables] = read('docs/reference/test-cards.md').split(/^(?=\| Case \|)/m)
  const told = tables.flatMap((table) => {
    const [head = '', ...rows] = table.split('\n\n')[0]?.match(/^\|(?!-).*\|$/gm) ?? []
    const brands = head.split('|').map((cell) => cell.trim().toLowerCase())
    return rows.flatMap((row) =>
      row.split('|').flatMap((cell, column, cells) =>
        (cell.match(/`\d+`/g) ?? []).map((number) => {
          const threeDSecure = Number(cells[1])
          return [
            number.slice(1, -1),
            { brand: brands[column], ...(threeDSecure > 0 && { threeDSecure }) },
          ]
        }),
      ),
    )
  })
  expect(told).toHaveLength(TEST_CARDS.size)
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(TEST_CARDS))
})
