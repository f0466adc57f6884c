import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { inRepository, read } from '../../helpers/documents.ts'
import { picture } from '../structure/picture.ts'
import { FLOORS } from '../structure/rooms.ts'

const text = read('docs/inside/architecture.md')

/** A span of code that is a path: it begins with a folder of the repository. */
const PATH = /`((?:mock-gateway|sdk|test|docs|examples)\/[^`\s]*)`/g

describe('docs/inside/architecture.md', () => {
  test('names only files and folders that there are', () => {
    const paths = [...text.matchAll(PATH)].map(([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(60)
    expect(paths.filter((path) => !existsSync(inRepository(path)))).toEqual([])
  })

  test('has every room once, from the top down', () => {
    const rooms = [...text.matchAll(/^\| `([\w/-]+)` \|/gm)].map(([, room]) => room)
    expect(rooms).toEqual(FLOORS.flat())
  })

  test('shows the floors as they are; `vitest run -u` with this file draws them anew', async () => {
    await expect(picture(FLOORS)).toMatchFileSnapshot(inRepository('docs/inside/floors.svg'))
  })
})
