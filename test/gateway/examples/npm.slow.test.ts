import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isStale } from '../../../examples/build.ts'

describe('npm start builds the library', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stale-'))
    await mkdir(join(folder, 'sdk/card'), { recursive: true })
    for (const [name, at] of [
      ['sdk/card/luhn.ts', 1000],
      ['sdk', 1000],
      ['sdk/card', 1000],
      ['built.js', 2000],
    ] as const)
      await writeAt(name, at)
  })
  afterEach(() => rm(folder, { recursive: true }))

  /** Sets the time of a file or folder to `at` in seconds. A file is created first. */
  async function writeAt(name: string, at: number) {
    if (name.includes('.')) await writeFile(join(folder, name), '')
    await utimes(join(folder, name), at, at)
  }
  const stale = () => isStale(folder, 'built.js', ['sdk', 'sdk/**'])

  test('but not again if nothing has changed', () => expect(stale()).toBe(false))
  test('if it is missing', async () => {
    await rm(join(folder, 'built.js'))
    expect(stale()).toBe(true)
  })
  test('if a source is newer', async () => {
    await writeAt('sdk/card/luhn.ts', 3000)
    expect(stale()).toBe(true)
  })
  test('if a source was deleted', async () => {
    await rm(join(folder, 'sdk/card/luhn.ts'))
    expect(stale()).toBe(true)
  })
})
