import { mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { keptControlKey, makeDataFolder } from '../../../mock-gateway/cli/data-folder.ts'

/** Counts the flushes during some work. Only flushed names and bytes survive a power loss. */
async function flushesOf(work: () => Promise<unknown>): Promise<number> {
  const handle = await open(tmpdir())
  const flushed = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync')
  await handle.close()
  try {
    await work()
    return flushed.mock.calls.length
  } finally {
    flushed.mockRestore()
  }
}

test('each name in a new data folder is flushed once, and the control key before it gets its name', async () => {
  const above = await mkdtemp(join(tmpdir(), 'mondido-flushed-'))
  const folder = join(above, 'shop', 'data')
  expect(await flushesOf(() => makeDataFolder(folder))).toBe(2)
  expect(await flushesOf(() => makeDataFolder(folder))).toBe(0)
  expect(await flushesOf(() => keptControlKey(folder, () => 'a-key-of-this-test-alone'))).toBe(1)
  expect(await readdir(folder)).toEqual(['.gitignore', 'control-key'])
  await rm(above, { recursive: true })
})
