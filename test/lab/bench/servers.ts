import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/merchants/seed.ts'
import { TEST_PRIVATE_KEY } from '../../helpers/keys.ts'
import { type Load, loadOn } from './load.ts'
import { CONTROL_KEY, OTHER_MERCHANT } from './requests.ts'

/** Server in its own process, with its clients. */
export interface Server {
  readonly load: Load
  readonly port: number
  /** Returns the resident memory in megabytes (10^6 bytes). */
  memory(): number
  /** Returns the CPU time since the start in microseconds, of all threads. */
  cpu(): number
  /** Lets the server run only for this share of the time, until it is stopped. */
  hold(share: number): Promise<void>
  stop(): Promise<void>
}

/** Folder that `npm run build` writes. */
export const DIST = fileURLToPath(new URL('../../../mock-gateway/dist', import.meta.url))
const ECHO = fileURLToPath(new URL('echo.ts', import.meta.url))

const temporary = mkdtempSync(join(tmpdir(), 'mondido-bench-'))
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(temporary, { recursive: true, force: true })
})

let folders = 0

/** Returns the path of a folder or file that does not exist yet. It is removed at the end. */
export const freshPath = (): string => join(temporary, String(++folders))

/** Returns the path of the command in a build. */
const commandIn = (dist: string) => join(dist, '..', 'launcher.cjs')

/** Starts a gateway like a user, with its data in a folder. */
export const startGateway = (connections: number, folder: string, dist = DIST): Promise<Server> =>
  start(connections, [commandIn(dist)], ['--port', '0', '--data', folder])

/** Storage of a gateway. */
export type Keeping = 'on disk' | 'in memory'

/**
 * Cores of a server: other cores than the load's, or all cores for measurements with several
 * threads.
 */
export type Cores = 'beside the load' | 'all'

/**
 * Starts a gateway whose merchant has the key with which `requests.ts` encrypts.
 * @param dist another build
 */
export function startGatewayWithKey(
  connections: number,
  dist = DIST,
  keeping: Keeping = 'on disk',
  cores: Cores = 'beside the load',
): Promise<Server> {
  const merchants = `${freshPath()}.json`
  writeFileSync(merchants, JSON.stringify([{ ...DEFAULT_MERCHANT, private_key: TEST_PRIVATE_KEY }]))
  const data = keeping === 'in memory' ? ['--memory'] : ['--data', freshPath()]
  const flags = ['--port', '0', ...data, '--merchants', merchants]
  return start(connections, [commandIn(dist)], flags, {}, cores)
}

/** Starts a gateway with two merchants on a PostgreSQL database. */
export function startGatewayOn(connections: number, databaseUrl: string): Promise<Server> {
  const merchants = `${freshPath()}.json`
  writeFileSync(merchants, JSON.stringify([DEFAULT_MERCHANT, OTHER_MERCHANT]))
  const flags = ['--port', '0', '--merchants', merchants]
  return start(connections, [commandIn(DIST)], flags, { MONDIDO_DATABASE_URL: databaseUrl })
}

/**
 * Starts a gateway like for test suites, with a control API: in memory, in a folder or on
 * PostgreSQL.
 */
export function startGatewayForTests(
  connections: number,
  {
    folder,
    databaseUrl,
    dist = DIST,
  }: { readonly folder?: string; readonly databaseUrl?: string; readonly dist?: string } = {},
): Promise<Server> {
  const place = folder === undefined ? ['--memory'] : ['--data', folder]
  const flags = ['--port', '0', '--control-key', CONTROL_KEY]
  return databaseUrl === undefined
    ? start(connections, [commandIn(dist)], [...flags, ...place])
    : start(connections, [commandIn(DIST)], flags, { MONDIDO_DATABASE_URL: databaseUrl })
}

/** Starts the first baseline: a bare Express server that returns the request. */
export const startEcho = (connections: number): Promise<Server> => start(connections, [ECHO])

/** Starts the second baseline: the same server, which also commits one row for each request. */
export const startEchoWithRow = (connections: number): Promise<Server> =>
  start(connections, [ECHO], [freshPath()])

/**
 * Starts a program, and resolves when it prints its address `http://localhost:<port>`. Its later
 * output is dropped.
 */
export async function start(
  connections: number,
  program: readonly string[],
  args: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
  cores: Cores = 'beside the load',
): Promise<Server> {
  const { PATH, HOME, TMPDIR } = process.env // Other variables must not change the default settings of a gateway.
  const place = cores === 'all' ? everywhere : pinned
  const [command = '', ...rest] = [
    ...place,
    process.execPath,
    ...process.execArgv,
    ...program,
    ...args,
  ]
  const child = spawn(command, rest, {
    env: { PATH, HOME, TMPDIR, ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  const ended = once(child, 'close').then(() => {
    running.delete(child)
  })
  const port = await new Promise<number>((resolve, reject) => {
    let printed = ''
    child.stdout?.on('data', (text) => {
      printed += text
      const address = /http:\/\/localhost:(\d+)/.exec(printed)
      if (address) resolve(Number(address[1]))
    })
    ended.then(() => reject(new Error(`${program.at(-1)} ended before it listened`)))
  })
  child.stdout?.removeAllListeners('data').resume()
  let stopping = false
  return {
    load: loadOn(port, connections),
    port,
    memory: () => residentBytes(child.pid as number) / 1e6,
    cpu: () => processorTime(child.pid as number),
    async hold(share) {
      while (!stopping) {
        child.kill('SIGSTOP')
        await setTimeout(HOLD_MS * (1 - share))
        child.kill('SIGCONT')
        await setTimeout(HOLD_MS * share)
      }
    },
    async stop() {
      stopping = true
      child.kill('SIGCONT')
      child.kill()
      await ended
    },
  }
}

/** Milliseconds between two pauses of a server that runs only for a share of the time. */
const HOLD_MS = 20

function residentBytes(pid: number): number {
  const kilobytes =
    process.platform === 'linux'
      ? /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return Number(kilobytes) * 1024
}

/** Returns the CPU time of a process in microseconds; NaN if the system does not report it. */
function processorTime(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [spent = ''] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return Number(spent)
  })
  return nanoseconds.reduce((sum, spent) => sum + spent, 0) / 1_000
}

/**
 * Binds the load to the last core and every server to the other cores, so that they do not compete.
 * This needs several cores and a supported system.
 * @returns true if they are bound
 */
export function keepApart(): boolean {
  const last = availableParallelism() - 1
  if (last < 1 || process.platform !== 'linux') return false
  try {
    execFileSync(
      'taskset',
      ['--cpu-list', '--all-tasks', '--pid', String(last), String(process.pid)],
      { stdio: 'ignore' },
    )
    pinned = ['taskset', '--cpu-list', last === 1 ? '0' : `0-${last - 1}`]
    everywhere = ['taskset', '--cpu-list', `0-${last}`]
    return true
  } catch {
    return false
  }
}

let pinned: readonly string[] = []
let everywhere: readonly string[] = []
