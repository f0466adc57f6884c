/**
 * `npm test`: prepares the tests, then runs every check. Ends with one line, `N passed, N failed`;
 * a check counts as a test. Nothing is skipped: a check that could not run has failed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { caseLines } from './gateway/abuse/cases.ts'
import { ensureChromium } from './setup/chromium.ts'
import { temporaryFolder } from './setup/temporary.ts'
import { type Outcome, readReport, type VitestReport } from './setup/vitest-report.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')
const env: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
}
/** Returns the path of a test like vitest, which reports slashes on Windows, too. */
const inTests = (path: string) => join(root, 'test', path).replaceAll('\\', '/')

const TEST_FOLDERS = ['sdk', 'gateway', 'lab/simulation', 'browser'].map(inTests)

const running = new Set<ChildProcess>()

/**
 * Runs a program of the project, with its output on the screen. Resolves with its exit code, or 127
 * if it is missing.
 */
function run(program: string, ...args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    // On Windows, programs of packages are command files, which only a shell can start.
    const shell = process.platform === 'win32'
    const given = shell ? args.map((each) => `"${each}"`) : args
    const stdio = ['ignore', 'inherit', 'inherit'] as const
    const child = spawn(program, given, { cwd: root, env, shell, stdio: [...stdio] })
    running.add(child)
    const end = (code: number) => {
      running.delete(child)
      resolve(code)
    }
    child.once('error', () => end(127))
    child.once('close', (code, signal) => end(code ?? 128 + constants.signals[signal ?? 'SIGTERM']))
  })
}

type Command = readonly [program: string, ...args: string[]]

/** Creates a step of parallel checks. A check passes if its program exits with 0. */
const checks =
  (...commands: readonly Command[]) =>
  async (): Promise<Outcome> => {
    const codes = await Promise.all(commands.map((command) => run(...command)))
    const failures = commands.flatMap((command, index) =>
      codes[index] === 0 ? [] : [`${command.join(' ')} ended with code ${codes[index]}`],
    )
    return { passed: commands.length - failures.length, failures }
  }

/**
 * Folder for all files of this run: files that one step writes for another, and databases, profiles
 * and packages of tests.
 */
const folder = mkdtempSync(join(temporaryFolder(), 'mondido-test-'))
// PostgreSQL, which does not run as root, stores its data in this folder.
chmodSync(folder, 0o711)
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
// Windows uses TEMP instead.
env.TMPDIR = folder
env.TEMP = folder
env.PACKED = folder
// Retries are turned on only here, because this run lists the tests that needed one.
env.TEST_RETRY = '1'

async function tests(): Promise<Outcome> {
  const file = join(folder, 'report.json')
  const code = await run(
    'vitest',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  )
  const report: VitestReport | undefined = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : undefined
  const passed = new Set(
    report?.testResults.filter(({ status }) => status === 'passed').map(({ name }) => name),
  )
  print(`\n== Attacks\n${caseLines((path) => passed.has(inTests(path))).join('\n')}`)
  return readReport(report, code, TEST_FOLDERS)
}

async function chromium(): Promise<Outcome> {
  try {
    ensureChromium(env)
    return { passed: 0, failures: [] }
  } catch (error) {
    return { passed: 0, failures: [(error as Error).message] }
  }
}

const STEPS: readonly (readonly [
  title: string,
  step: () => Promise<Outcome>,
  required?: 'required',
])[] = [
  ['Chromium', chromium, 'required'],
  [
    'Lint, types, build',
    checks(
      ['biome', 'check', '.'],
      ['knip', '--no-progress'],
      ['tsc'],
      ['tsc', '-p', 'sdk'],
      // Packs both packages together, because each would otherwise build the parts that both
      // contain.
      ['npm', 'run', '--silent', 'packages', '--', '--pack-destination', folder],
    ),
  ],
  ['Tests', tests],
]

const print = (line: string) => void process.stdout.write(`${line}\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    const leave = () => running.size === 0 && process.exit(128 + constants.signals[signal])
    leave()
    for (const child of running) child.once('close', leave).kill(signal)
  })
}

let passed = 0
const failures: string[] = []
const flaky: string[] = []
for (const [title, step, required] of STEPS) {
  print(`\n== ${title}`)
  const start = performance.now()
  const outcome = await step()
  passed += outcome.passed
  failures.push(...outcome.failures)
  flaky.push(...(outcome.flaky ?? []))
  print(
    `== ${title}: ${outcome.failures.length ? 'FAILED' : 'ok'}, ${((performance.now() - start) / 1000).toFixed(1)} s`,
  )
  if (required && outcome.failures.length) break
}
if (flaky.length) print(`\n== Flaky: passed only at the second attempt\n${flaky.join('\n')}`)
if (failures.length) print(`\n${failures.join('\n')}`)
print(`\n${passed} passed, ${failures.length} failed`)
process.exitCode = failures.length ? 1 : 0
