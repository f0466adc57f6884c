import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The address of the gateway that runs with a data folder, for commands such as `mondido-gateway
 * pay`.
 */
const fileIn = (folder: string) => join(folder, 'address')

export const writeAddress = (folder: string, url: string): Promise<void> =>
  writeFile(fileIn(folder), `${url}\n`)

/**
 * @returns undefined if no gateway runs with this folder, or it was killed before it wrote the
 * address
 */
export const readAddressOf = async (folder: string): Promise<string | undefined> =>
  (await readFile(fileIn(folder), 'utf8').catch(() => '')).trim() || undefined

/** Deletes the file when its gateway stops, unless another gateway has replaced it. */
export async function removeAddress(folder: string, url: string): Promise<void> {
  if ((await readAddressOf(folder)) === url) await rm(fileIn(folder), { force: true })
}
