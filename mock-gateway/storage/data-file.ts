import { statSync } from 'node:fs'
import { UnavailableError } from './unavailable.ts'

/**
 * Notes which files SQLite has open. A file that is deleted or replaced lives on for whoever has it
 * open, so that SQLite goes on writing without an error what nobody will find again.
 * @param path of the data file, open and written to; its journal is beside it
 * @returns throws UnavailableError when they are not in their places
 */
export function watchDataFile(path: string): () => void {
  const files = [path, `${path}-wal`].map((name) => [name, placeOf(name)] as const)
  return () => {
    for (const [name, place] of files)
      if (placeOf(name) !== place)
        throw new UnavailableError(
          'The data file was deleted or replaced while the gateway had it open; put it back, or start the gateway again',
        )
  }
}

/** A microsecond, where the commit that it precedes takes hundreds. */
function placeOf(name: string): string | undefined {
  const found = statSync(name, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}
