import { realpathSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Linux keeps what is below it in memory, where a flush costs nothing. */
const IN_MEMORY = '/dev/shm'

/** Ten times what a run of all tests was seen to have there at once. */
const ENOUGH_BYTES = 2 ** 30

/**
 * Where files of tests go: where `TMPDIR` says, else into memory where it has room (a container
 * gives it 64 MB). The folder of macOS is a link, that of Windows may have a short name: programs
 * report the real path.
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
