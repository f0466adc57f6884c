import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readControlKey } from '../domain/options.ts'

/** File in the data folder, readable only by its owner. */
const FILE = 'control-key'

/** Reads the control key in a data folder; undefined if there is none. */
export const readKeptControlKey = async (folder: string): Promise<string | undefined> =>
  (await readFile(join(folder, FILE), 'utf8').catch(() => '')).trim() || undefined

/**
 * Returns the key stored in a folder; creates it if it is missing. Two gateways that start
 * simultaneously both get the first one's key.
 */
export async function keptControlKey(folder: string, make: () => string): Promise<string> {
  const file = join(folder, FILE)
  const own = `${file}-${process.pid}`
  try {
    await writeFile(own, `${make()}\n`, { mode: 0o600, flush: true })
    // Whole or not at all, also after a loss of power, unlike a file that is being written.
    await link(own, file).catch((error) => error.code === 'EEXIST' || Promise.reject(error))
  } finally {
    await rm(own, { force: true })
  }
  return readControlKey((await readFile(file, 'utf8')).trim(), `The control key in ${file}`)
}
