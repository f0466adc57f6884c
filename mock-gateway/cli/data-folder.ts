import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Makes the folder when it is not there: nobody else reads it, and it keeps itself out of the shop's repository. An old
 * one may be that repository, so it is closed to others only when it was made here.
 */
export async function makeDataFolder(folder: string): Promise<void> {
  const mark = join(folder, '.gitignore')
  const isNew = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined
  if (isNew) await writeFile(mark, ALL)
  else if ((await readFile(mark, 'utf8').catch(() => undefined)) === ALL) await chmod(folder, 0o700)
}

const ALL = '*\n'
