import { chmod, link, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readControlKey } from '../domain/options.ts'

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

/** File in the data folder, readable only by its owner. */
const KEY_FILE = 'control-key'

/** Reads the control key in a data folder; undefined if there is none. */
export const readKeptControlKey = async (folder: string): Promise<string | undefined> =>
  (await readFile(join(folder, KEY_FILE), 'utf8').catch(() => '')).trim() || undefined

/**
 * Returns the key stored in a folder; creates it if it is missing. Two gateways that start
 * simultaneously both get the first one's key.
 */
export async function loadControlKey(folder: string, make: () => string): Promise<string> {
  const file = join(folder, KEY_FILE)
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

/**
 * The address of the gateway that runs with a data folder, for commands such as `mondido-gateway
 * pay`.
 */
const findAddressIn = (folder: string) => join(folder, 'address')

export const writeAddress = (folder: string, url: string): Promise<void> =>
  writeFile(findAddressIn(folder), `${url}\n`)

/**
 * @returns undefined if no gateway runs with this folder, or it was killed before it wrote the
 * address
 */
export const readAddress = async (folder: string): Promise<string | undefined> =>
  (await readFile(findAddressIn(folder), 'utf8').catch(() => '')).trim() || undefined

/** Deletes the file when its gateway stops, unless another gateway has replaced it. */
export async function removeAddress(folder: string, url: string): Promise<void> {
  if ((await readAddress(folder)) === url) await rm(findAddressIn(folder), { force: true })
}
