import { spawnSync } from 'node:child_process'

const isThere = (program: string) =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0

/**
 * Installs the Debian packages of missing programs if this is possible (as root, with apt-get).
 * @param packages names of packages by program
 * @throws Error with one sentence for the reader of the test run: how to get them
 */
export function ensurePrograms(packages: Readonly<Record<string, string>>): void {
  const missing = () => Object.keys(packages).filter((program) => !isThere(program))
  if (missing().length > 0 && process.getuid?.() === 0) {
    const options = {
      stdio: 'inherit',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    } as const
    const names = missing().map((program) => packages[program] ?? program)
    spawnSync('apt-get', ['update', '-q'], options)
    spawnSync('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...names], options)
  }
  const [first] = missing()
  if (first)
    throw new Error(
      `These tests need ${first}: install it (Debian: apt-get install ${packages[first]}).`,
    )
}
