import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inRepository } from '../../../helpers/documents.ts'
import { sourcesLike } from '../../../helpers/sources.ts'

test('attack 57 (tabnabbing): no page opens a window that could navigate the page', () => {
  const views = sourcesLike('mock-gateway/**/*.ts')
  expect(views.length).toBeGreaterThan(500)
  // A window that was opened with rel=noopener cannot navigate the page. target="_top" opens no
  // window: it only leaves a frame.
  const textOf = (path: string) =>
    readFileSync(inRepository(path), 'utf8').replaceAll(
      /target="_blank" rel="noopener"|target="_top"/g,
      '',
    )
  const opening = views.filter((path) => /\btarget=|<base\b|window\.open\(/.test(textOf(path)))
  expect(opening).toEqual([])
})
