import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Linux keeps what is below it in memory, where a flush costs nothing. */
const IN_MEMORY = '/dev/shm'

/** Ten times what a run of all tests was seen to have there at once. */
const ENOUGH_BYTES = 2 ** 30

/**
 * Where files of tests go: where `TMPDIR` says, else into memory where it has room (a container
 * gives it 64 MB).
 */
export function temporaryFolder(): string {
  if (process.env.TMPDIR) return process.env.TMPDIR
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= ENOUGH_BYTES ? IN_MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}
