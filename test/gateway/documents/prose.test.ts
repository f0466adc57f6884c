import { describe, expect, test } from 'vitest'
import { findHits } from '../../prose/patterns.ts'
import { textsOf } from '../../prose/texts.ts'

const namesOf = (document: string) => findHits(document).hits.map(({ name }) => name)

describe('the check of the style finds', () => {
  test.each([
    ['What a page loads of it has 17 KB.', 'a clause with "what" instead of a noun'],
    ['It is refused with 151.', 'a bare number'],
    ['* Whoever reads it', 'an actor without a name'],
    ['Two gateways, of which one\nis killed', 'a clause with "of which"'],
    ['A plan that the page\ndoes not offer is none.', '"is no" instead of "is not a"'],
    ['| Row | Then |\n|---|---|\n| a | b |', 'a header without a noun'],
  ])('%j', (document, name) => expect(namesOf(document)).toEqual([name]))

  test('the check of the style finds a cell of more than 40 words', () => {
    const row = (words: number) => `| a | ${'word '.repeat(words)}|`
    expect(findHits(row(40)).longCells).toHaveLength(0)
    expect(findHits(row(41)).longCells).toHaveLength(1)
  })
})

test.each([
  ['a plain sentence', 'The gateway rejects the request with error 151.'],
  ['code', '`nobody`\n\n```sh\nnobody\n```'],
  ['a quotation', 'Not "whoever knows it".'],
  ['an address of a link', 'See [the guide](what-nobody-told.md).'],
  ['a question', 'What is a webhook?'],
])('the check of the style accepts %s', (_what, document) => expect(namesOf(document)).toEqual([]))

test('the descriptions and summaries of an OpenAPI document are checked', () => {
  const source =
    'info: { title: What, summary: What it is. }\npaths:\n  # What a comment says.\n  x: { description: Fine. }\n'
  expect(textsOf('a.yaml', source)).toBe('What it is.\n\nFine.')
})
