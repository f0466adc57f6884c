import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourcesLike } from '../../helpers/sources.ts'

test('no query has a limit for which SQLite would prepare its statement again', () => {
  const bare = sourcesLike('mock-gateway/**/*.ts').flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /\.limit\((?!atMost\(|sql\.lit\().*|\blimit \$\{(?!(?:writeWholeNumber|atMost)\().*/g,
      ),
    ].map(([text]) => `${file}: ${text}`),
  )
  expect(bare).toEqual([])
})
