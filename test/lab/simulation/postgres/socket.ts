import { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { runningProcess } from '../runs/machine.ts'
import { createCutter, type Message, processIdOf, sqlOf } from './messages.ts'
import type { Line, Wire } from './wire.ts'

/** Socket of the real machine, before the simulation replaces it. */
const OwnSocket = Socket

/**
 * Types of client messages after which the client waits: the first message, which has no type,
 * Query, Sync and the password.
 */
const ASKS = new Set(['', 'Q', 'S', 'p'])

/**
 * Types of messages that end an answer of the server: ReadyForQuery, and the request for a
 * password.
 */
const ENDS = new Set(['Z', 'R'])

let current: Wire | undefined

/** Routes all later connections through this wire. */
export function layWire(wire: Wire): void {
  current = wire
}

/**
 * Connection of a gateway to PostgreSQL. Both ends are real, and the wire between them delays
 * messages and can be cut. Each request and each answer passes in one piece.
 */
export class WireSocket extends Duplex {
  readonly #wire: Wire
  readonly #server = new OwnSocket()
  readonly #line: Line
  readonly #cutAsked = createCutter(true)
  readonly #cutHeard = createCutter(false)
  readonly #asking: Message[] = []
  readonly #hearing: Message[] = []
  /** True if the connection is cut at the next answer. */
  #isAnswerLost = false
  #impatience:
    | { readonly milliseconds: number; readonly call: () => void; timer: NodeJS.Timeout }
    | undefined

  constructor() {
    super({ allowHalfOpen: false })
    const process = runningProcess()
    if (!current || !process) throw new Error('Nobody has laid a wire')
    this.#wire = current
    this.#line = this.#wire.newLine(process)
    const server = this.#server
    process.connections.add({
      get isOpen() {
        return !server.destroyed
      },
      close: () => this.#hangUp(),
    })
    server.setNoDelay(true)
    server.on('data', (chunk) => {
      for (const message of this.#cutHeard(chunk)) this.#hear(message)
    })
    server.on('error', () => {})
    server.once('close', () => {
      this.#line.answered()
      this.#line.back(() => this.push(null))
    })
  }

  connect(port: number, host: string): this {
    if (this.#wire.drawRefusal()) {
      this.#line.back(() => this.#fail('ECONNREFUSED'))
      return this
    }
    this.#line.asked()
    this.#server.connect(port, host, () => {
      this.#line.answered()
      this.#line.back(() => this.emit('connect'))
    })
    return this
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    for (const message of this.#cutAsked(chunk)) this.#ask(message)
    this.#isHeard()
    done()
  }

  override _final(done: () => void): void {
    this.#line.out(() => void this.#server.end())
    done()
  }

  override _read(): void {}

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#impatience?.timer)
    this.#hangUp()
    done(error)
  }

  #hangUp() {
    this.#line.answered()
    this.#server.destroy()
  }

  #ask(message: Message) {
    this.#asking.push(message)
    if (!ASKS.has(message.type)) return
    const asked = this.#asking.splice(0)
    const sql = asked.map(sqlOf).find((text) => text !== undefined)
    const cut = sql === undefined ? undefined : this.#wire.drawCut(sql)
    this.#line.out(() => {
      if (this.#server.destroyed) return
      if (cut === 'before') return this.#fail('ECONNRESET')
      this.#isAnswerLost = cut === 'after'
      this.#line.asked()
      if (sql !== undefined) this.#wire.note(sql)
      this.#server.write(Buffer.concat(asked.map(({ bytes }) => bytes)))
    })
  }

  #hear(message: Message) {
    if (message.type === 'K') this.#line.processId = processIdOf(message)
    this.#hearing.push(message)
    if (this.#line.isAsked && !ENDS.has(message.type)) return
    const heard = Buffer.concat(this.#hearing.splice(0).map(({ bytes }) => bytes))
    // Messages without a request, such as notifications, end no answer.
    if (ENDS.has(message.type)) this.#line.answered()
    if (this.#isAnswerLost) return this.#line.back(() => this.#fail('ECONNRESET'))
    this.#line.back(() => {
      this.#isHeard()
      this.push(heard)
    })
  }

  #fail(code: string) {
    this.destroy(Object.assign(new Error(code), { code }))
  }

  setTimeout(milliseconds: number, call: () => void): this {
    this.#impatience = { milliseconds, call, timer: setTimeout(call, milliseconds) }
    return this
  }

  #isHeard() {
    this.#impatience?.timer.refresh()
  }

  setNoDelay = () => this
  setKeepAlive = () => this
  ref = () => this
  unref = () => this
}
