/** Resources for all tests of a file or of a `describe`, which are closed after the last test. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Waits for a resource, and closes it after the last test. */
export async function share<Resource extends { close(): unknown }>(
  opening: Promise<Resource>,
): Promise<Resource> {
  const opened = await opening
  afterAll(async () => {
    await opened.close()
  })
  return opened
}

/** Creates an empty folder, and deletes it after the last test. */
export async function sharedFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mondido-test-'))
  afterAll(() => rm(folder, { recursive: true }))
  return folder
}
