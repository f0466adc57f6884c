import { AsyncLocalStorage } from 'node:async_hooks'
import crypto from 'node:crypto'
import fs from 'node:fs'
import files from 'node:fs/promises'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import promises from 'node:timers/promises'
import threads from 'node:worker_threads'
import type { Chance } from './chance.ts'
import type { Coming, Owner, Scheduler } from './scheduler.ts'

/**
 * Simulated machine of the gateways in a run, with its own timers, random source, files and
 * databases. All calls of the gateway and its packages to the machine arrive here. So the gateway
 * needs no parameters for them, and later calls are included.
 */

/** Process of this machine, which can be killed. */
export interface MachineProcess extends Owner {
  /** Open connections of the process. */
  readonly connections: Set<{ readonly isOpen: boolean; close(): void }>
}

/** Members of a mail that are checked. */
export interface MailSent {
  /** Message id with angle brackets. */
  readonly messageId: string
  readonly to: string
  readonly text: string
}

/** Parts of a run that replace the machine. */
interface Simulation {
  readonly scheduler: Scheduler
  readonly chance: Chance
  /**
   * Accepts a mail.
   * @throws Error with the reason of a rejection
   */
  readonly mailServer: (mail: MailSent) => Promise<void>
}

let simulation: Simulation | undefined
const running = new AsyncLocalStorage<MachineProcess | undefined>()

/** Runs a call as part of a process. Calls that follow from it belong to the process, too. */
export const runAs = <T>(owner: Owner | undefined, call: () => T): T =>
  running.run(owner as MachineProcess, call)

export const runningProcess = (): MachineProcess | undefined => running.getStore()

/** Lets the machine belong to this run from now on. */
export function beginSimulation(begun: Simulation): void {
  simulation = begun
}

function current(): Simulation {
  if (!simulation) throw new Error('No simulation has begun')
  return simulation
}

export const mailServer = (): Simulation['mailServer'] => current().mailServer

/** Return value of Node's timers. */
class Timer {
  #coming: Coming | undefined
  readonly #start: () => Coming
  constructor(start: (timer: Timer) => Coming) {
    this.#start = () => start(this)
    this.#coming = this.#start()
  }
  ref = () => this
  unref = () => this
  hasRef = () => true
  refresh() {
    this.close()
    this.#coming = this.#start()
    return this
  }
  close() {
    this.#coming?.cancel()
    return this
  }
  [Symbol.dispose]() {
    this.close()
  }
}

const later = (milliseconds: number, call: () => void) =>
  current().scheduler.after(milliseconds, call, running.getStore())

type Call = (...given: never[]) => void

const once = (call: Call, milliseconds = 0, ...given: never[]) =>
  new Timer(() => later(milliseconds, () => call(...given)))

/** Replaces `setTimeout`. Like Node, it waits whole milliseconds, and at least one. */
const timeout = (call: Call, milliseconds = 1, ...given: never[]) =>
  once(call, Math.max(1, Math.trunc(milliseconds) || 1), ...given)

const interval = (call: Call, milliseconds = 1, ...given: never[]) =>
  new Timer((timer) =>
    later(Math.max(1, milliseconds), () => {
      timer.refresh()
      call(...given)
    }),
  )

const clear = (timer: unknown) => void (timer instanceof Timer && timer.close())

const pause = (milliseconds = 1, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
  new Promise((resolve, reject) => {
    const fail = () => reject(new DOMException('The operation was aborted', 'AbortError'))
    if (signal?.aborted) return fail()
    const coming = later(milliseconds, () => {
      signal?.removeEventListener('abort', abort)
      resolve(value)
    })
    const abort = () => {
      coming.cancel()
      fail()
    }
    signal?.addEventListener('abort', abort, { once: true })
  })

const bytes = (count: number) => Buffer.from(current().chance.bytes(count))

const uuid = () =>
  bytes(16)
    .toString('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')

/**
 * Replaces the password hash by a fast one: the passwords of the run's merchants are already
 * verified.
 */
const derive = (
  password: string,
  salt: Uint8Array,
  length: number,
  _cost: unknown,
  done: (error: null, key: Buffer) => void,
) =>
  done(
    null,
    crypto.createHash('shake256', { outputLength: length }).update(password).update(salt).digest(),
  )

class NoThread {
  constructor(file: URL) {
    throw new Error(`A simulation has no threads: ${file}`)
  }
}

const TIMERS = {
  setTimeout: timeout,
  setInterval: interval,
  setImmediate: (call: Call, ...given: never[]) => once(call, 0, ...given),
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: clear,
}

/** Replaced functions by module. */
const REPLACED: readonly (readonly [module: object, names: object])[] = [
  [globalThis, TIMERS],
  [timers, TIMERS],
  [performance, { now: () => current().scheduler.now() }],
  [Math, { random: () => current().chance.below(2 ** 32) / 2 ** 32 }],
  [promises, { setTimeout: pause, setImmediate: (value?: unknown) => pause(0, value) }],
  [crypto, { randomBytes: bytes, randomUUID: uuid, scrypt: derive }],
  [
    files,
    {
      readFile: async (...given: Parameters<typeof fs.readFileSync>) => fs.readFileSync(...given),
      readdir: async (...given: Parameters<typeof fs.readdirSync>) => fs.readdirSync(...given),
      stat: async (path: string) => fs.statSync(path),
    },
  ],
  [threads, { Worker: NoThread }],
]

const GATEWAY = new URL('../../../../mock-gateway/', import.meta.url).href

/** Modules that the gateway imports, and their replacements. */
const MODULES: Readonly<Record<string, string>> = {
  'node:sqlite': new URL('../sqlite/driver.ts', import.meta.url).href,
  nodemailer: new URL('./nodemailer.ts', import.meta.url).href,
}

/**
 * Replaces the machine for the rest of this process. Call it before the gateway's modules are
 * loaded.
 */
export function takeMachine(): void {
  for (const [module, names] of REPLACED) Object.assign(module, names)
  syncBuiltinESMExports()
  // The gateway's named imports of this module would not change with the module object.
  registerHooks({
    resolve: (name, context, next) =>
      next((context.parentURL?.startsWith(GATEWAY) && MODULES[name]) || name, context),
  })
}
