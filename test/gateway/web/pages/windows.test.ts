import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inRepository } from '../../../helpers/documents.ts'

test('57 tabnabbing: no page opens another window, which could lead it elsewhere', () => {
  const views = globSync('mock-gateway/**/*.{liquid,ts}', { cwd: inRepository('.') })
  expect(views.filter((path) => path.endsWith('.liquid')).length).toBeGreaterThan(10)
  const opening = views.filter((path) =>
    /\btarget=|<base\b|window\.open\(/.test(readFileSync(inRepository(path), 'utf8')),
  )
  expect(opening).toEqual([])
})
