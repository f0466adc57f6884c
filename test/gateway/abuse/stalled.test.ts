import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { connect as secureConnect } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payment } from '../../helpers/gateway.ts'
import { controlOf } from '../web/control/client.ts'
import { head, type ListeningGateway, LOGIN, listenAs, listeningGateway } from './sockets.ts'

/** Time limit without progress in these tests. The default is 30 seconds. */
const TIME_LIMIT_MS = 300
/**
 * Time limit of a test in milliseconds. It is shorter than the 60 seconds after which Node itself
 * would cut the connection.
 */
const CUT = { timeout: 50_000 }

let plain: ListeningGateway
let secure: ListeningGateway
beforeAll(async () => {
  plain = await listeningGateway({}, [], TIME_LIMIT_MS)
  secure = await listeningGateway({}, ['--tls'], TIME_LIMIT_MS)
})
afterAll(() => Promise.all([plain.close(), secure.close()]))

/** Waits until the gateway closes the connection. */
async function untilCut(socket: Socket): Promise<void> {
  socket.on('error', () => {})
  await once(socket, 'close')
}

test('a client that sends nothing is cut off', CUT, () =>
  untilCut(connect(plain.port, '127.0.0.1').resume()),
)

test('a client that never finishes the TLS handshake is cut off', CUT, async () => {
  const silent = connect(secure.port, '127.0.0.1').resume()
  const halfway = connect(secure.port, '127.0.0.1').resume()
  // Header of a TLS record that announces 512 bytes of ClientHello.
  halfway.write(Buffer.from([22, 3, 1, 2, 0, 1]))
  await Promise.all([silent, halfway].map(untilCut))
})

test('a client that stops reading is cut off, and its memory is freed', async () => {
  const metadata = JSON.stringify({ text: 'x'.repeat(50_000) })
  await Promise.all(
    Array.from({ length: 100 }, () => plain.shop.post('/v1/transactions', payment({ metadata }))),
  )
  const socket = connect(plain.port, '127.0.0.1').on('error', () => {})
  const asked = plain.begun()
  socket.write(head('GET', '/v1/transactions?limit=100', LOGIN).repeat(3))
  await once(await asked, 'close')
  let read = 0
  // Bytes that this machine has received are still readable, followed by the end.
  socket.on('data', (chunk) => {
    read += chunk.length
  })
  await once(socket, 'close')
  expect(read).toBeLessThan(3 * 5_000_000)
})

/**
 * Reads a long answer with pauses of three times the limit in total.
 * @returns true if the answer was complete
 */
async function readSlowly(timeLimit: number): Promise<boolean> {
  const listening = await listenAs([], timeLimit)
  listening.answerWith(plain.shop.gateway.app)
  const socket = connect(Number(new URL(listening.url).port), '127.0.0.1')
  socket.write(head('GET', '/v1/transactions?limit=100', LOGIN, 'Connection: close'))
  let read = 0
  let length = 0
  let pauses = 0
  try {
    for await (const chunk of socket) {
      if (length === 0) length = Number(/Content-Length: (\d+)/i.exec(String(chunk))?.[1])
      read += chunk.length
      if (pauses++ < 30) await delay(timeLimit / 10)
    }
  } catch {
    // The connection was cut.
  }
  await listening.close()
  return length > 4_000_000 && read > length
}

test('a client that reads slowly gets the whole answer', async () => {
  // On a busy machine, the client itself can need longer than the limit for one step. Then a longer
  // limit is tried.
  let timeLimit = TIME_LIMIT_MS
  while (!(await readSlowly(timeLimit))) timeLimit *= 4
})

test('a client that waits for a slow answer gets it', async () => {
  const late = { kind: 'latency', milliseconds: 4 * TIME_LIMIT_MS, path: '/v1/refunds' }
  const answers = [plain, secure].map(async ({ shop, port }) => {
    await controlOf(shop.gateway).post('/faults', late)
    const socket =
      port === plain.port
        ? connect(port, '127.0.0.1')
        : secureConnect({ port, rejectUnauthorized: false })
    socket.write(head('GET', '/v1/refunds', LOGIN, 'Connection: close'))
    let answer = ''
    for await (const chunk of socket) answer += chunk
    return answer
  })
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 /)
})
