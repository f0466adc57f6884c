import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Makes the folder when it is not there. A new one keeps itself out of the shop's repository; an old one may be one. */
export async function makeDataFolder(folder: string): Promise<void> {
  const isNew = (await mkdir(folder, { recursive: true })) !== undefined
  if (isNew) await writeFile(join(folder, '.gitignore'), '*\n')
}
