import { realpathSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Folder that Linux stores in memory, where a flush costs nothing. */
const IN_MEMORY = '/dev/shm'

/** Required space in bytes, which is ten times the greatest use of a run of all tests. */
const ENOUGH_BYTES = 2 ** 30

/**
 * Returns the folder for test files: `TMPDIR`, or a folder in memory if it has enough space (a
 * container has 64 MB). The real path is returned, because the folder of macOS is a link, and the
 * folder of Windows can have a short name.
 */
export function temporaryFolder(): string {
  const given = realpathSync.native(tmpdir())
  if (process.env.TMPDIR) return given
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= ENOUGH_BYTES ? IN_MEMORY : given
  } catch {
    return given
  }
}
