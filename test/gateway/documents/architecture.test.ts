import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { inRepository, read } from '../../helpers/documents.ts'
import { LAYERS } from '../structure/layers.ts'
import { picture } from '../structure/picture.ts'

const text = read('docs/inside/architecture.md')

/** Pattern of a path in backticks that begins with a folder of the repository. */
const PATH = /`((?:mock-gateway|sdk|test|docs|examples)\/[^`\s]*)`/g

describe('docs/inside/architecture.md', () => {
  test('names only files and folders that exist', () => {
    const paths = [...text.matchAll(PATH)].map(([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(60)
    expect(paths.filter((path) => !existsSync(inRepository(path)))).toEqual([])
  })

  test('lists every module once, from top to bottom', () => {
    const modules = [...text.matchAll(/^\| `([\w/-]+)` \|/gm)].map(([, module]) => module)
    expect(modules).toEqual(LAYERS.flat())
  })

  test('shows the real layers; `vitest run -u` with this file redraws them', async () => {
    await expect(picture(LAYERS)).toMatchFileSnapshot(inRepository('docs/inside/layers.svg'))
  })
})
