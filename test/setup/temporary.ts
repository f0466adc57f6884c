import { realpathSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Folder that Linux keeps in memory, where a flush costs nothing. */
const IN_MEMORY = '/dev/shm'

/** Bytes: ten times the most that a run of all tests has used. */
const ENOUGH_BYTES = 2 ** 30

/**
 * Folder for test files: `TMPDIR`, or memory if it has space (a container gives it 64 MB). The
 * folder of macOS is a link, and the folder of Windows can have a short name, so programs report
 * the real path.
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
