import { createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../../mock-gateway/cli/certificate.ts'
import {
  isForbiddenAddress,
  isForbiddenName,
} from '../../../mock-gateway/domain/webhook/addresses.ts'
import {
  type CallOptions,
  createHttpCalls,
  type HttpCall,
} from '../../../mock-gateway/webhooks/http-call.ts'
import { listen } from '../../helpers/listening.ts'
import { openSink, type Sink } from '../../helpers/sink.ts'
import { postgresPlace } from '../storage/databases.ts'
import { openShop } from './shop.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function sinkOf(...given: Parameters<typeof openSink>): Promise<Sink> {
  const sink = await openSink(...given)
  closing.push(sink.close)
  return sink
}

function caller(options: Partial<CallOptions> = {}) {
  const { call, close } = createHttpCalls({ addresses: 'local', ...options })
  closing.push(close)
  return (url: string, over: Partial<HttpCall> = {}) =>
    call({ url, method: 'POST', headers: {}, body: '{}', within: 20_000, ...over })
}

/** Starts a server that answers with raw bytes of the test. */
async function rawServer(speak: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.once('data', () => speak(socket))
  })
  const { url, close } = await listen(server)
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    void close()
  })
  return `${url}/`
}

describe('webhook rule 7: no redirects', () => {
  for (const code of [301, 302, 303, 307, 308])
    test(`after status ${code} no other address is called, and Location is stored`, async () => {
      const [sink, other] = [await sinkOf(), await sinkOf()]
      const call = caller()
      for (const location of [other.url, '/elsewhere', `//${new URL(other.url).host}/x`]) {
        sink.answer((response) => void response.writeHead(code, { location }).end())
        expect(await call(sink.url)).toMatchObject({ code, headers: { location } })
      }
      expect([sink.received.length, other.received.length]).toEqual([3, 0])
    })
})

describe('webhook rule 8: valid certificates', async () => {
  const DAY = 86_400_000
  const now = Date.now()
  const good = await makeCertificate(['localhost'], now)

  test('a certificate of a known authority is accepted, with the name of the host', async () => {
    const sink = await sinkOf(good, 'localhost')
    let servername: unknown
    sink.server.on('secureConnection', (socket: { servername: unknown }) => {
      servername = socket.servername
    })
    expect(await caller({ ca: good.cert })(sink.url)).toMatchObject({ code: 200, error: null })
    expect(servername).toBe('localhost')
  })

  for (const [what, certificate, trusted] of [
    ['signed by itself', good, false],
    ['for another host', await makeCertificate(['shop.example'], now), true],
    ['expired', await makeCertificate(['localhost'], now - 900 * DAY), true],
    ['not yet valid', await makeCertificate(['localhost'], now + 10 * DAY), true],
  ] as const)
    test(`an address with a certificate that is ${what} is not called`, async () => {
      const sink = await sinkOf(certificate, 'localhost')
      const reply = await caller(trusted ? { ca: certificate.cert } : {})(sink.url)
      expect(reply).toMatchObject({ code: null, error: expect.stringMatching(/CERT|cert/) })
      expect(sink.received).toEqual([])
    })

  test('a server without TLS 1.2 is not called', async () => {
    const old = {
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    } as const
    const sink = await sinkOf({ ...good, ...old }, 'localhost')
    expect((await caller({ ca: good.cert })(sink.url)).code).toBeNull()
    expect(sink.received).toEqual([])
  })

  test('webhook rule 9: NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect', async () => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      const sink = await sinkOf(good, 'localhost')
      expect(await caller()(sink.url)).toMatchObject({
        code: null,
        error: expect.stringContaining('CERT'),
      })
      expect(sink.received).toEqual([])
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    }
  })
})

describe('webhook rule 26: each call has one deadline and one size limit', () => {
  const drip = (first: string, again: string) => (socket: Socket) => {
    socket.write(first)
    const timer = setInterval(() => socket.write(again), 20)
    socket.once('close', () => clearInterval(timer))
  }
  for (const [what, speak] of [
    ['never answers', () => {}],
    ['drips its headers', drip('HTTP/1.1 200 OK\r\n', 'X: y\r\n')],
    ['drips its body', drip('HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n', 'x')],
  ] as const)
    test(`a server that ${what} is cut off`, async () => {
      const over = Promise.withResolvers<void>()
      const url = await rawServer((socket) => {
        socket.once('close', () => over.resolve())
        speak(socket)
      })
      expect(await caller()(url, { within: 300 })).toMatchObject({
        code: null,
        error: expect.stringMatching(/^No complete answer within [\d.]+ seconds$/),
      })
      await over.promise
    })

  test.each([200, 404, 500])(
    'an answer with status %d and an endless body is cut off, and its start is stored',
    async (code) => {
      const url = await rawServer(drip(`HTTP/1.1 ${code} Said\r\n\r\n`, 'x'.repeat(100_000)))
      const reply = await caller()(url)
      expect(reply).toMatchObject({ code, error: null })
      expect(reply.body).toHaveLength(64 * 1024)
    },
  )

  test('compressed bodies are not unpacked', async () => {
    const sink = await sinkOf()
    await caller()(sink.url)
    expect(sink.received[0]?.headers['accept-encoding']).toBe('identity')
  })
})

test('webhook rule 27: 64 KB of an answer are stored, and the shop can send all of it', async () => {
  const sink = await sinkOf()
  const said = new Promise((resolve) =>
    sink.answer(
      (response) =>
        void response.end('<script>'.repeat(100_000)).on('finish', () => resolve('all')),
    ),
  )
  const { code, body } = await caller()(sink.url)
  expect([code, body?.length, await said]).toEqual([200, 64 * 1024, 'all'])
})

describe('webhook rule 38: called addresses', () => {
  type Lookup = NonNullable<CallOptions['lookup']>
  const resolving = (...addresses: string[]) =>
    ((_name: string, _options: object, callback: (error: null, found: object[]) => void) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )) as unknown as Lookup

  test('a name is looked up once, and the connection uses the checked address', async () => {
    const sink = await sinkOf()
    const answers = ['127.0.0.1', '169.254.169.254']
    const lookup = ((name: string, options: object, callback: never) =>
      (resolving(answers.shift() ?? '') as unknown as (...all: unknown[]) => void)(
        name,
        options,
        callback,
      )) as unknown as Lookup
    const { port } = new URL(sink.url)
    expect(await caller({ lookup })(`http://shop.example:${port}/`)).toMatchObject({ code: 200 })
    expect(answers).toHaveLength(1)
  })

  test('a host with one forbidden address among several is not called', async () => {
    const sink = await sinkOf()
    const lookup = resolving('127.0.0.1', '169.254.169.254')
    const reply = await caller({ lookup })(`http://shop.example:${new URL(sink.url).port}/`)
    expect(reply).toMatchObject({
      code: null,
      error: 'shop.example is 169.254.169.254, which may not be called',
    })
    expect(sink.received).toEqual([])
  })

  for (const host of [
    '169.254.169.254',
    '0xa9fea9fe',
    '[::ffff:169.254.1.1]',
    '[fe80::1]',
    '0.0.0.0',
    '224.0.0.1',
    'metadata.google.internal',
  ])
    test(`http://${host}/ is not called`, async () =>
      expect((await caller()(`http://${host}/`)).error).toMatch(/may not be called/))

  for (const [address, local, strict] of [
    ['127.0.0.1', false, true],
    ['::1', false, true],
    ['10.1.2.3', false, true],
    ['192.168.1.1', false, true],
    ['172.31.255.255', false, true],
    ['fd00::1', false, true],
    ['100.64.0.1', false, true],
    ['203.0.113.7', false, true],
    ['169.254.0.1', true, true],
    ['168.63.129.16', true, true],
    ['168.63.129.17', false, false],
    ['100.100.100.200', true, true],
    ['fd20:ce::254', true, true],
    ['255.255.255.255', true, true],
    ['::', true, true],
    ['ff02::1', true, true],
    ['fd00:ec2::254', true, true],
    ['64:ff9b::a9fe:a9fe', true, true],
    ['2002:a9fe:a9fe::1', true, true],
    ['2001:0:0:0:0:0:5601:5601', true, true],
    ['::ffff:10.0.0.1', false, true],
    ['8.8.8.8', false, false],
    ['2606:4700::1111', false, false],
    ['not an address', true, true],
  ] as const)
    test(`${address} is ${local ? 'never' : strict ? 'not in strict mode' : 'always'} called`, () =>
      expect([isForbiddenAddress(address, 'local'), isForbiddenAddress(address, 'strict')]).toEqual(
        [local, strict],
      ))

  describe('the gateway’s own database is not called', () => {
    const NAMES: Readonly<Record<string, string>> = {
      'db.example': '127.0.0.1',
      'shop.example': '203.0.113.7',
    }
    const lookup = ((name: string, options: object, callback: never) =>
      (resolving(NAMES[name] ?? '127.0.0.1') as unknown as (...all: unknown[]) => void)(
        name,
        options,
        callback,
      )) as unknown as Lookup

    test('by any of its names and addresses, but other ports of its machine and the same port of other machines are called', async () => {
      const sink = await sinkOf()
      const port = Number(new URL(sink.url).port)
      const call = caller({ lookup, database: { host: 'db.example', port } })
      for (const host of [
        '127.0.0.1',
        '127.1.2.3',
        '[::1]',
        '[::ffff:127.0.0.1]',
        'db.example',
        'localhost',
      ])
        expect((await call(`http://${host}:${port}/`)).error).toMatch(/may not be called/)
      expect(sink.received).toEqual([])
      const other = await sinkOf()
      expect((await call(other.url)).code).toBe(200)
      const elsewhere = caller({ lookup, database: { host: 'shop.example', port } })
      expect((await elsewhere(sink.url)).code).toBe(200)
    })

    test.each([
      ['http', 80],
      ['https', 443],
    ])('by %s, whose port %i can be omitted', async (scheme, port) => {
      const call = caller({ lookup, database: { host: 'db.example', port } })
      expect((await call(`${scheme}://db.example/`)).error).toMatch(/may not be called/)
    })

    test('a webhook to the address of PostgreSQL fails and is reported', async () => {
      const place = await postgresPlace()
      const shop = await openShop({ database: place.target }, place)
      closing.push(shop.close)
      const { host } = new URL(place.target)
      await shop.pay({ url: `http://${host}/` })
      const [attempt] = await shop.attempted(1)
      expect(attempt).toMatchObject({
        outcome: 'failed',
        response: { error: expect.stringMatching(/may not be called/) },
      })
    })
  })

  test('names of cloud metadata servers are not looked up', () => {
    for (const name of [
      'metadata',
      'metadata.google.internal',
      'METADATA.google.internal.',
      'instance-data',
    ])
      expect(isForbiddenName(name)).toBe(true)
    expect(isForbiddenName('metadata.shop.example')).toBe(false)
  })
})

test('webhook rule 39: a call on a kept connection that the server has closed is sent once on a new connection', async () => {
  let answered = 0
  const server = createServer((socket) => {
    let asked = 0
    socket.on('error', () => {})
    // Closes the connection like a server whose time limit ends at the moment of the next request.
    socket.on('data', () => {
      if (++asked > 1) return socket.resetAndDestroy()
      answered += 1
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    })
  })
  const { url, close } = await listen(server)
  closing.push(close)
  const call = caller()
  for (let n = 1; n <= 5; n++) {
    // A request without a body arrives in one packet.
    expect(await call(url, { method: 'GET', body: '' })).toMatchObject({ code: 200 })
    expect(answered).toBe(n)
  }
})

test('webhook rule 39: a call is not repeated if a part of its answer has arrived', async () => {
  let asked = 0
  const url = await rawServer((socket) => {
    asked += 1
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    socket.once('data', () => {
      asked += 1
      socket.end('HTTP/1.1 200 OK\r\nContent-Le')
    })
  })
  const call = caller()
  expect(await call(url, { method: 'GET', body: '' })).toMatchObject({ code: 200 })
  expect(await call(url, { method: 'GET', body: '' })).toMatchObject({
    code: null,
    error: expect.any(String),
  })
  expect(asked).toBe(2)
})

describe('webhook rule 40: an unusual success counts', () => {
  for (const [what, answer, code] of [
    ['204 without a body', 'HTTP/1.1 204 No Content\r\n\r\n', 204],
    [
      'chunks and a trailer',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n2\r\nok\r\n0\r\nX: y\r\n\r\n',
      200,
    ],
    [
      '100 Continue before',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
      200,
    ],
    [
      '103 Early Hints before',
      'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n',
      201,
    ],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nok', 200],
  ] as const)
    test(what, async () => {
      const url = await rawServer((socket) =>
        code === 204 ? socket.write(answer) : socket.end(answer),
      )
      expect(await caller()(url)).toMatchObject({ code, error: null })
    })
})
