import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Answer that was read from the bytes of a connection. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Time limit in milliseconds for the answer to a complete request. */
const ANSWER_LIMIT_MS = 120_000

/**
 * Milliseconds after which an idle connection is not used again, because the gateway closes it
 * after five seconds.
 */
const STALE_MS = 2_000

/** Milliseconds after which a mutated request counts as incomplete. */
const UNFINISHED_MS = 150

/** More bytes than the gateway accepts in a head or body. They complete any incomplete request. */
const REST = Buffer.alloc(600_000, 'x')

/**
 * Connection that sends bytes unchanged, one request after the other, and reconnects if it was
 * closed. It never closes its sending half, because such clients lose answers.
 */
export class RawConnection {
  readonly #port: number
  #socket: Socket | undefined
  #usedAt = 0

  constructor(port: number) {
    this.#port = port
  }

  /**
   * Sends a request and reads its answer.
   * @param mutated true if its length and version can be wrong; the connection is then not used
   *   again
   * @returns undefined if a mutated request was cut off without an answer
   * @throws Error if no valid answer arrives
   */
  async send(bytes: Buffer, mutated: boolean): Promise<RawAnswer | undefined> {
    const socket = await this.#open()
    const answer = readAnswerFrom(
      socket,
      bytes.subarray(0, 5).toString('latin1') === 'HEAD ',
      mutated,
    )
    socket.write(bytes)
    const rest = mutated ? setTimeout(() => socket.write(REST), UNFINISHED_MS) : undefined
    try {
      const received = await answer
      if (received === undefined && !mutated)
        throw new Error('The connection ended without an answer')
      if (mutated || received?.headers.get('connection') === 'close') this.close()
      this.#usedAt = performance.now()
      return received
    } catch (error) {
      this.close()
      throw error
    } finally {
      clearTimeout(rest)
    }
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  async #open(): Promise<Socket> {
    if (performance.now() - this.#usedAt > STALE_MS || this.#socket?.destroyed) this.close()
    if (this.#socket) return this.#socket
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
    // If the server cuts the connection, the client may see a reset.
    socket.on('error', () => {})
    await Promise.race([once(socket, 'connect'), once(socket, 'close')])
    this.#socket = socket
    return socket
  }
}

/**
 * Reads an answer.
 * @returns undefined if the connection ends first
 * @throws Error if the answer takes too long, or is not HTTP
 */
function readAnswerFrom(
  socket: Socket,
  isHead: boolean,
  mayBeOld: boolean,
): Promise<RawAnswer | undefined> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    const end = (finish: () => void) => {
      clearTimeout(limit)
      socket.off('data', take).off('close', ended)
      finish()
    }
    const limit = setTimeout(
      () => end(() => reject(new Error(`No answer within ${ANSWER_LIMIT_MS / 1000} s`))),
      ANSWER_LIMIT_MS,
    )
    const take = (piece: Buffer) => {
      received = Buffer.concat([received, piece])
      try {
        const answer = parse(received, isHead, mayBeOld)
        if (answer) end(() => resolve(answer))
      } catch (error) {
        end(() => reject(error))
      }
    }
    const ended = () => end(() => resolve(undefined))
    socket.on('data', take).once('close', ended)
    if (socket.destroyed) ended()
  })
}

/**
 * Parses received bytes.
 * @returns undefined while the answer is incomplete
 * @throws Error if it is not an answer of HTTP 1.1 with a length
 */
function parse(received: Buffer, isHead: boolean, mayBeOld: boolean): RawAnswer | undefined {
  const blank = received.indexOf('\r\n\r\n')
  if (blank === -1) return undefined
  const [line = '', ...rest] = received.subarray(0, blank).toString('latin1').split('\r\n')
  const [, code] = /^HTTP\/1\.1 (\d{3}) /.exec(line) ?? []
  if (code === undefined) throw new Error(`No answer of HTTP: ${JSON.stringify(line)}`)
  const status = Number(code)
  if (status < 200) return parse(received.subarray(blank + 4), isHead, mayBeOld)
  const headers = new Headers(
    rest.map((each): [string, string] => [
      each.slice(0, each.indexOf(':')),
      each.slice(each.indexOf(':') + 1).trim(),
    ]),
  )
  const hasBody = !isHead && status !== 204 && status !== 304
  const length = hasBody ? headers.get('content-length') : '0'
  if (length === null && !mayBeOld) throw new Error(`An answer ${status} without its length`)
  const body = received.subarray(blank + 4)
  if (body.length < Number(length)) return undefined
  return { status, headers, text: body.subarray(0, Number(length)).toString() }
}
