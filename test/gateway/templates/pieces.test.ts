import { expect, test } from 'vitest'
import { piecesOf } from '../../../mock-gateway/templates/pieces.ts'
import { tooCostly } from '../../helpers/cost.ts'

const written = (source: string) => piecesOf(source).map(({ kind, written }) => [kind, written])

test.each([
  ['a {{{ b }}} c', ['a ', '{{{ b }}}', ' c']],
  ['{ {{ a }} }', ['{ ', '{{ a }}', ' }']],
  ['{{{% if a %}', ['{{', '{% if a %}']],
  ['{{ a {{ b }}', ['{{ a ', '{{ b }}']],
  ['{% raw %}{{ a }}{% endraw %}{% raw %}{{ b }}', ['{% raw %}{{ a }}{% endraw %}', '{% raw %}', '{{ b }}']],
])('%s falls into its pieces', (source, pieces) => {
  expect(written(source).map(([, text]) => text)).toEqual(pieces)
})

test.each(['{', '{{', '{{ a ', '{% raw %}', '{% comment %}', '{%', '{{{% a %}', '%}{%', '\n'])(
  'a source that repeats %j is taken apart as quickly',
  (unit) => expect(tooCostly(piecesOf, unit)).toBeUndefined(),
)
