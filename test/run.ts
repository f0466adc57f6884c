/**
 * `npm test` (`quick`) and `npm run test:all` (`rest`): runs the checks of the sources, then the tests
 * of `vite.config.ts`. Ends with the line `N passed, N failed`; a check counts as a test, and a skipped test as failed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startVitest } from 'vitest/node'
import { ensureChromium } from './setup/chromium.ts'
import { temporaryFolder } from './setup/temporary.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const [selection = 'quick'] = process.argv.slice(2)

/** Folder for databases, browser profiles and packages of this run. */
const folder = mkdtempSync(join(temporaryFolder(), 'mondido-test-'))
// PostgreSQL, which does not run as root, stores its data in this folder.
chmodSync(folder, 0o711)
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
// Windows uses TEMP instead.
Object.assign(process.env, { TESTS: selection, TMPDIR: folder, TEMP: folder, PACKED: folder })
process.env.PATH = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)

/** Commands before the tests: the checks of the sources, and the builds that the tests use. */
const COMMANDS = {
  quick: ['npm run build:library && npm run build:gateway', 'npm run check'],
  rest: [`npm run packages -- --pack-destination ${folder}`],
}[selection]
if (!COMMANDS) throw new Error('Usage: node test/run.ts [quick|rest]')

const failures: string[] = []
let passed = 0

ensureChromium(process.env)
spawnSync(process.execPath, ['build/contract-types.ts'], { cwd: root, stdio: 'inherit' })
await Promise.all(
  COMMANDS.map(async (command) => {
    const [code] = await once(spawn(command, { cwd: root, shell: true, stdio: 'inherit' }), 'close')
    if (code === 0) passed += 1
    else failures.push(`${command} ended with code ${code}`)
  }),
)

const vitest = await startVitest('test', [], { root, watch: false })
for (const module of vitest.state.getTestModules()) {
  for (const test of module.children.allTests()) {
    const { state } = test.result()
    if (state === 'passed') passed += 1
    else failures.push(`${state}: ${module.relativeModuleId} > ${test.fullName}`)
  }
  if (module.errors().length > 0) failures.push(`${module.relativeModuleId} could not be run`)
}
for (const error of vitest.state.getUnhandledErrors())
  failures.push(`unhandled: ${(error as Error).message}`)
await vitest.close()

if (failures.length > 0) process.stdout.write(`\n${failures.join('\n')}\n`)
process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`)
process.exit(failures.length > 0 ? 1 : 0)
