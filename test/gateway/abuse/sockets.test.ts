import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { connect as connectTls, connect as secureConnect } from 'node:tls'
import pino from 'pino'
import { describe, expect, test } from 'vitest'
import { authorizationOf, encode, hashed, MERCHANT, payment } from '../../helpers/gateway.ts'
import { serve } from '../../helpers/listening.ts'
import { share } from '../../helpers/shared.ts'
import { controlOf } from '../web/control/client.ts'
import { head, LOGIN, listenAs, listeningGateway } from './sockets.ts'

test('TLS 1.2 uses AES-256 or authenticated encryption, never AES-128 in CBC mode', async () => {
  const gateway = await listeningGateway({}, ['--tls'])
  const speak = (ciphers: string) =>
    new Promise<string>((resolve) => {
      const options = {
        host: 'localhost',
        port: gateway.port,
        rejectUnauthorized: false,
        maxVersion: 'TLSv1.2',
      } as const
      const socket = connectTls({ ...options, ciphers })
      socket.once('error', () => resolve('refused'))
      socket.once('secureConnect', () => {
        resolve(socket.getCipher().name)
        socket.destroy()
      })
    })
  for (const cipher of [
    'ECDHE-RSA-AES128-SHA256',
    'ECDHE-RSA-AES128-SHA',
    'AES128-SHA256',
    'AES128-SHA',
  ])
    expect([cipher, await speak(cipher)]).toEqual([cipher, 'refused'])
  for (const cipher of [
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-SHA384',
  ])
    expect(await speak(cipher)).toBe(cipher)
  await gateway.close()
})

test('before its connection is closed, a keep-alive client is notified that the gateway stops', async () => {
  const gateway = await listeningGateway()
  const socket = connect(gateway.port, '127.0.0.1').setEncoding('latin1')
  const ask = async () => {
    socket.write(head('GET', '/v1/transactions', LOGIN))
    const [answer] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [
      unknown,
    ]
    return String(answer)
  }
  expect(await ask()).toMatch(
    /^HTTP\/1\.1 200 [\s\S]*Connection: keep-alive\r\nKeep-Alive: timeout=20\r\n/,
  )
  const closed = gateway.close()
  expect(await ask()).toMatch(/^HTTP\/1\.1 200 [\s\S]*Connection: close/)
  await closed
})

test('a client that waits for its answer is notified too', async () => {
  const gateway = await listeningGateway()
  const first = gateway.exchange(head('GET', '/v1/transactions', LOGIN))
  await gateway.begun()
  await gateway.close()
  expect(await first).toMatch(/^HTTP\/1\.1 200 [\s\S]*Connection: close/)
})

test('a request without a Host is rejected with a reason, and an unknown Expect is answered', async () => {
  const gateway = await listeningGateway()
  const [nameless, expectant] = ['', 'Host: localhost\r\nExpect: 200-ok\r\n'].map((headers) =>
    gateway.exchange(
      `GET /v1/transactions HTTP/1.1\r\n${headers}${LOGIN}\r\nConnection: close\r\n\r\n`,
    ),
  )
  expect(await nameless).toMatch(
    /^HTTP\/1\.1 400 [\s\S]*\{"name":"errors\.request\.bad_format","code":253,/,
  )
  expect(await expectant).toMatch(/^HTTP\/1\.1 200 [\s\S]*\[\]$/)
  await gateway.close()
})

describe('pipelined requests', async () => {
  const log: string[] = []
  const logger = pino({}, { write: (line) => void log.push(line) })
  const gateway = await share(listeningGateway({ logger }))

  /** Counts the answers to a packet of requests, and the requests that were started. */
  async function pipeline(count: number) {
    log.length = 0
    const last = head('GET', '/v1/transactions', LOGIN, 'Connection: close')
    const answer = await gateway.exchange(
      head('GET', '/v1/transactions', LOGIN).repeat(count - 1) + last,
    )
    // Each request that was started logs one line.
    const begun = log.filter((line) => line.includes('"method":')).length
    return { answered: answer.match(/HTTP\/1\.1 200 /g)?.length ?? 0, begun }
  }

  test('a hundred requests in one packet are all answered', async () => {
    expect(await pipeline(100)).toEqual({ answered: 100, begun: 100 })
  })

  test('a packet with more requests starts none of them, and its connection is cut', async () => {
    expect(await pipeline(1_700)).toEqual({ answered: 0, begun: 0 })
  })

  test('a connection can send any number of requests if it waits for each answer', async () => {
    const one = head('GET', '/v1/transactions', LOGIN)
    const socket = connect(gateway.port, '127.0.0.1').setEncoding('latin1')
    let answers = 0
    await new Promise<void>((resolve, reject) => {
      socket
        .once('error', reject)
        .once('close', () => reject(new Error(`cut after ${answers} answers`)))
      socket.on('data', (text: string) => {
        answers += text.match(/HTTP\/1\.1 200 /g)?.length ?? 0
        if (answers === 300) resolve()
        else socket.write(one)
      })
      socket.write(one)
    })
    socket.destroy()
  })

  test('a payment is not made if its client disconnected before it began', async () => {
    const { shop } = gateway
    const fields = hashed(payment(), MERCHANT)
    const { url, close } = await serve((request, response) => {
      request.once('end', () => request.socket.destroy())
      shop.gateway.app(request, response)
    })
    const headers = { authorization: authorizationOf(MERCHANT) }
    const body = new URLSearchParams(encode(fields))
    await expect(
      fetch(`${url}/v1/transactions`, { method: 'POST', headers, body }),
    ).rejects.toThrow()
    await close()
    const { body: made } = await shop.get('/v1/transactions', {
      'filter[payment_ref]': String(fields.payment_ref),
    })
    expect(made).toEqual([])
  })
})

describe('stalled clients', async () => {
  /** Time limit without progress in these tests. The default is 30 seconds. */
  const TIME_LIMIT_MS = 300
  /**
   * Time limit of a test in milliseconds. It is shorter than the 60 seconds after which Node itself
   * would cut the connection.
   */
  const CUT = { timeout: 50_000 }

  const plain = await share(listeningGateway({}, [], TIME_LIMIT_MS))
  const secure = await share(listeningGateway({}, ['--tls'], TIME_LIMIT_MS))

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

  /**
   * Waits for an answer that takes four times the limit.
   * @returns true if the answer arrived
   */
  async function waitLong(flags: readonly string[], timeLimit: number): Promise<boolean> {
    const listening = await listenAs(flags, timeLimit)
    listening.answerWith(plain.shop.gateway.app)
    const late = { kind: 'latency', milliseconds: 4 * timeLimit, path: '/v1/refunds' }
    await controlOf(plain.shop.gateway).post('/faults', late)
    const port = Number(new URL(listening.url).port)
    const socket = flags.includes('--tls')
      ? secureConnect({ port, rejectUnauthorized: false })
      : connect(port, '127.0.0.1')
    socket.write(head('GET', '/v1/refunds', LOGIN, 'Connection: close'))
    let answer = ''
    try {
      for await (const chunk of socket) answer += chunk
    } catch {
      // The connection was cut.
    }
    await listening.close()
    return answer.startsWith('HTTP/1.1 200 ')
  }

  test.each([
    ['http', []],
    ['https', ['--tls']],
  ])('a client that waits for a slow answer gets it by %s', async (_scheme, flags) => {
    // Tries longer limits, as above.
    let timeLimit = TIME_LIMIT_MS
    while (!(await waitLong(flags, timeLimit))) timeLimit *= 4
  })
})
