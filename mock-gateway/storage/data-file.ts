import { statSync } from 'node:fs'
import { UnavailableError } from './unavailable.ts'

/**
 * Records which files SQLite has open. SQLite continues to write to a deleted or replaced file
 * without an error, and these data would be lost.
 * @param path of the data file, open and written to; its journal is next to it
 * @returns a function that throws UnavailableError if the files are missing or replaced
 */
export function watchDataFile(path: string): () => void {
  const files = [path, `${path}-wal`].map((name) => [name, placeOf(name)] as const)
  return () => {
    for (const [name, place] of files)
      if (placeOf(name) !== place)
        throw new UnavailableError(
          'The data file was deleted or replaced while the gateway had it open. Put it back, or restart the gateway.',
        )
  }
}

/** A microsecond, where the commit that it precedes takes hundreds. */
function placeOf(name: string): string | undefined {
  const found = statSync(name, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}
