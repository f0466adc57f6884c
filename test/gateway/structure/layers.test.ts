import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sourcesLike } from '../../helpers/sources.ts'
import { circlesIn } from './circles.ts'
import { breaches, LAYERS } from './layers.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const sources = sourcesLike('{sdk,mock-gateway,examples}/**/*.{ts,js}').map((path) => ({
  path: path.replaceAll('\\', '/'),
  text: readFileSync(`${root}/${path}`, 'utf8'),
}))

test('imports point one way and every module keeps its rules', () => {
  expect(sources.length).toBeGreaterThan(20)
  expect(breaches(sources)).toEqual([])
})

test('no files form an import cycle, not even through types', () => {
  expect(circlesIn(sources)).toEqual([])
})

test('docs/inside/architecture.md lists every module once, from top to bottom', () => {
  const text = readFileSync(`${root}/docs/inside/architecture.md`, 'utf8')
  const modules = [...text.matchAll(/^\| `([\w/-]+)` \|/gm)].map(([, module]) => module)
  expect(modules).toEqual(LAYERS.flat())
})
