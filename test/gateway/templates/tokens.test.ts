import { expect, test } from 'vitest'
import { splitIntoTokens } from '../../../mock-gateway/templates/tokens.ts'
import { readLongText } from '../../helpers/long-text.ts'

const written = (source: string) =>
  splitIntoTokens(source).map(({ kind, written }) => [kind, written])

test.each([
  ['a {{{ b }}} c', ['a ', '{{{ b }}}', ' c']],
  ['{ {{ a }} }', ['{ ', '{{ a }}', ' }']],
  ['{{{% if a %}', ['{{', '{% if a %}']],
  ['{{ a {{ b }}', ['{{ a ', '{{ b }}']],
  [
    '{% raw %}{{ a }}{% endraw %}{% raw %}{{ b }}',
    ['{% raw %}{{ a }}{% endraw %}', '{% raw %}', '{{ b }}'],
  ],
])('%s is split into its tokens', (source, tokens) => {
  expect(written(source).map(([, text]) => text)).toEqual(tokens)
})

test.each(['{', '{{', '{{ a ', '{% raw %}', '{% comment %}', '{%', '{{{% a %}', '%}{%', '\n'])(
  'a source of 256 KB that repeats %j is split into tokens',
  (unit) => readLongText(splitIntoTokens, unit),
)
