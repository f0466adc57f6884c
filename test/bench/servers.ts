import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEFAULT_MERCHANT } from '../../mock-gateway/merchants/seed.ts'
import { TEST_PRIVATE_KEY } from '../helpers/keys.ts'
import { type Load, loadOn } from './load.ts'

/** A server in a process of its own, and clients of it. */
export interface Server {
  readonly load: Load
  /** Resident memory in megabytes (10^6 bytes). */
  memory(): number
  stop(): Promise<void>
}

/** The command of the package, as built. */
const CLI = fileURLToPath(new URL('../../dist/launcher.cjs', import.meta.url))
const ECHO = fileURLToPath(new URL('echo.ts', import.meta.url))

const temporary = mkdtempSync(join(tmpdir(), 'mondido-bench-'))
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(temporary, { recursive: true, force: true })
})

let folders = 0

/** The path of a folder or file that does not exist yet, and is removed at the end. */
export const freshPath = (): string => join(temporary, String(++folders))

/** A gateway as anybody would start it, its data in this folder. */
export const startGateway = (connections: number, folder: string, ...flags: readonly string[]): Promise<Server> =>
  start(connections, [CLI], ['--port', '0', '--data', folder, ...flags])

/** A new gateway whose merchant has the key that `requests.ts` encrypts with. */
export function startGatewayWithKey(connections: number): Promise<Server> {
  const merchants = `${freshPath()}.json`
  writeFileSync(merchants, JSON.stringify([{ ...DEFAULT_MERCHANT, private_key: TEST_PRIVATE_KEY }]))
  return startGateway(connections, freshPath(), '--merchants', merchants)
}

/** The same on a PostgreSQL database. */
export const startGatewayOn = (connections: number, databaseUrl: string): Promise<Server> =>
  start(connections, [CLI], ['--port', '0'], { MONDIDO_DATABASE_URL: databaseUrl })

/** The first reference: a bare Express echo. */
export const startEcho = (connections: number): Promise<Server> => start(connections, [ECHO])

/** The second reference: the same echo, which commits one row a request. */
export const startEchoWithRow = (connections: number): Promise<Server> => start(connections, [ECHO], [freshPath()])

/** Resolves when the program listens. What it prints afterwards is read and dropped. */
async function start(
  connections: number,
  program: readonly string[],
  args: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const { PATH, HOME, TMPDIR } = process.env // a gateway as by default, whatever else is set
  const child = spawn(process.execPath, [...process.execArgv, ...program, ...args], {
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
  return {
    load: loadOn(port, connections),
    memory: () => residentBytes(child.pid as number) / 1e6,
    async stop() {
      child.kill()
      await ended
    },
  }
}

function residentBytes(pid: number): number {
  const kilobytes =
    process.platform === 'linux'
      ? /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return Number(kilobytes) * 1024
}
