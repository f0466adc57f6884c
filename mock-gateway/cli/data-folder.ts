import { chmod, mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/**
 * Creates the folder if it is missing: readable only by its owner, and ignored by the shop's Git.
 * An existing folder may be the shop's repository, so its permissions stay.
 */
export async function makeDataFolder(folder: string): Promise<void> {
  const mark = join(folder, '.gitignore')
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first !== undefined) {
    await writeFile(mark, ALL)
    await flushNames(resolve(folder), resolve(first))
  } else if ((await readFile(mark, 'utf8').catch(() => undefined)) === ALL)
    await chmod(folder, 0o700)
}

/** Flushes the names of new folders, so that they survive a power loss like the data inside. */
async function flushNames(folder: string, first: string): Promise<void> {
  const above = dirname(folder)
  // Windows stores names without a flush, and cannot open a folder.
  const handle = await open(above).catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
  if (folder !== first) await flushNames(above, first)
}

const ALL = '*\n'
