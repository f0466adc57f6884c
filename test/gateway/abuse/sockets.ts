import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type Listening, listen } from '../../../mock-gateway/cli/listen.ts'
import { readSettings } from '../../../mock-gateway/cli/settings.ts'
import {
  authorizationOf,
  MERCHANT,
  startGateway,
  type TestGateway,
  type TestGatewayOptions,
} from '../../helpers/gateway.ts'

/** Gateway that listens on a free port of this machine. */
export interface ListeningGateway {
  readonly shop: TestGateway
  readonly port: number
  /** Writes a text to a new connection, and reads until the connection is closed. */
  exchange(text: string): Promise<string>
  /** Resolves when the next request arrives, with its connection. */
  begun(): Promise<Socket>
  close(): Promise<void>
}

/**
 * Starts a gateway.
 * @param timeLimit milliseconds without progress after which a connection is cut; by default the
 *   limit of `listen`
 */
export async function listeningGateway(
  options: TestGatewayOptions = {},
  flags: readonly string[] = [],
  timeLimit?: number,
): Promise<ListeningGateway> {
  const shop = await startGateway(options)
  const listening = await listenAs(flags, timeLimit)
  const requests = new EventEmitter()
  listening.answerWith((request, response) => {
    shop.gateway.app(request, response)
    requests.emit('begun', request.socket)
  })
  const port = Number(new URL(listening.url).port)
  return {
    shop,
    port,
    exchange: (text) => exchange(port, text),
    async begun() {
      const [connection] = await once(requests, 'begun')
      return connection
    },
    async close() {
      await listening.close()
      await shop.close()
    },
  }
}

/**
 * Opens a free port like the command with these flags.
 * @param timeLimit as in `listen`
 */
export async function listenAs(flags: readonly string[], timeLimit?: number): Promise<Listening> {
  const asked = await readSettings(['--memory', '--port', '0', ...flags], {})
  if (asked.kind !== 'run') throw new Error(`The command line asks for ${asked.kind}`)
  return listen(asked.settings, timeLimit)
}

function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1').on('data', (piece) => {
      answer += piece
    })
    // If the server cuts the connection, the client may see a reset.
    socket.on('error', () => {})
    socket.once('close', () => resolve(answer))
    socket.write(text)
  })
}

/** Returns the head of a request, including the blank line. */
export const head = (method: string, path: string, ...headers: readonly string[]) =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`

export const LOGIN = `Authorization: ${authorizationOf(MERCHANT)}`
