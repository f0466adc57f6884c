import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Listening, listen } from '../../../../mock-gateway/cli/listen.ts'
import { readSettings } from '../../../../mock-gateway/cli/settings.ts'
import {
  authorizationOf,
  encode,
  hashed,
  MERCHANT,
  payment,
  prepared,
  startGateway,
  type TestGateway,
} from '../../../helpers/gateway.ts'
import { checkServed } from '../../../helpers/served.ts'

let shop: TestGateway
let listening: Listening
let port: number
const endChecks = checkServed()
beforeAll(async () => {
  shop = await startGateway()
  const asked = await readSettings(['--memory', '--port', '0'], {})
  if (asked.kind !== 'run') throw new Error(`The command line asks for ${asked.kind}`)
  listening = await listen(asked.settings)
  listening.answerWith(shop.gateway.app)
  port = Number(new URL(listening.url).port)
})
afterAll(async () => {
  await listening.close()
  await shop.close()
  endChecks()
})

const LOGIN = `Authorization: ${authorizationOf(MERCHANT)}`
const FORM = 'Content-Type: application/x-www-form-urlencoded'
const KILOBYTE = 'x'.repeat(1024)

/** Writes pieces to a new connection, one after the other, and reads until it is closed. */
function exchange(pieces: readonly string[], { hangUp = false } = {}): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1').on('data', (text) => {
      answer += text
    })
    // The connection of a rejected client can be reset while the client is still writing.
    socket.on('error', () => {})
    socket.once('close', () => resolve(answer))
    for (const piece of pieces) socket.write(piece)
    if (hangUp) socket.end()
  })
}

const head = (method: string, path: string, ...headers: string[]) =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`
const closing = 'Connection: close'

describe('a request body', () => {
  const post = (body: string) =>
    fetch(`http://127.0.0.1:${port}/v1/transactions`, {
      method: 'POST',
      headers: {
        authorization: authorizationOf(MERCHANT),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body,
    })
  const form = () =>
    String(new URLSearchParams(hashed(payment(), shop.merchant) as Record<string, string>))

  test('a body of one byte more is rejected with error 253, and the connection closed', async () => {
    const start = `${form()}&ignored=`
    const answer = await post(start + 'x'.repeat(256 * 1024 + 1 - start.length))
    expect(answer.status).toBe(400)
    expect(answer.headers.get('connection')).toBe('close')
    expect(await answer.json()).toMatchObject({ code: 253 })
  })

  test('a body of a request that is rejected anyway is read to the end, up to a limit', async () => {
    const unknown = (length: string) => head('POST', '/v1/customers', FORM, length)
    const next = head('GET', '/v1/customers', closing)
    const small = await exchange([unknown('Content-Length: 1024'), KILOBYTE, next])
    expect(small.match(/HTTP\/1\.1 401 /g)).toHaveLength(2)
    const chunks = Array.from({ length: 4096 }, () => `400\r\n${KILOBYTE}\r\n`)
    const endless = await exchange([unknown('Transfer-Encoding: chunked'), ...chunks])
    expect(endless).toMatch(/^HTTP\/1\.1 401 /)
  })
})

describe('a request', () => {
  test('a request with two Authorization headers is rejected', async () => {
    const other = `Authorization: Basic ${btoa('2:x')}`
    for (const headers of [
      [LOGIN, other],
      [other, LOGIN],
      [LOGIN, LOGIN],
    ]) {
      const answer = await exchange([head('GET', '/v1/transactions', ...headers, closing)])
      expect(answer).toMatch(/^HTTP\/1\.1 401 /)
      expect(answer).toContain('"code":182')
    }
  })

  for (const [what, headers] of [
    ['a length and chunks', ['Content-Length: 4', 'Transfer-Encoding: chunked']],
    ['two lengths', ['Content-Length: 4', 'Content-Length: 5']],
    ['a negative length', ['Content-Length: -1']],
    ['an unknown transfer encoding', ['Transfer-Encoding: xchunked']],
    ['a folded header', ['X-A: a\r\n b']],
    ['a NUL in a header', ['X-A: a\0b']],
  ] as const)
    test(`a request with ${what} is rejected before it is read`, async () => {
      const answer = await exchange([
        head('POST', '/v1/transactions', LOGIN, FORM, ...headers, closing),
        'a=1\n',
      ])
      expectUnreadable(answer, '400 Bad Request')
    })

  test('a request with a compressed transfer encoding is rejected with error 253', async () => {
    const headers = [LOGIN, FORM, 'Transfer-Encoding: gzip, chunked', closing]
    expect(
      await exchange([head('POST', '/v1/transactions', ...headers), '3\r\na=1\r\n0\r\n\r\n']),
    ).toContain('"code":253')
  })

  test('a request that is not HTTP is rejected in the same way', async () => {
    expectUnreadable(await exchange(['SSH-2.0-OpenSSH_9.6\r\n\r\n']), '400 Bad Request')
  })

  test('a request with raw bytes that are not UTF-8 in its query is rejected with error 200', async () => {
    const socketText = Buffer.from([0xff]).toString('latin1')
    const answer = await exchange([head('GET', `/v1/transactions?a=${socketText}`, LOGIN, closing)])
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  })
})

/**
 * Expects that a request that Node's parser rejects gets the same kind of error as every other
 * request.
 */
function expectUnreadable(answer: string, status: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const [first, ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(': ')[0] ?? '', line.split(': ')[1] ?? '']),
  )
  expect(first).toBe(`HTTP/1.1 ${status}`)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('content-length')).toBe(String(body.length))
  expect(headers.get('connection')).toBe('close')
  expect(headers.get('mondido-explain')).toBeTruthy()
  // The bytes of the answer were read as Latin-1.
  const triple = JSON.parse(Buffer.from(body, 'latin1').toString('utf8'))
  expect(triple).toEqual({
    name: 'errors.request.bad_format',
    code: 253,
    description: expect.stringMatching(/./),
  })
}

describe('the address and the headers of a request', () => {
  test('an address and headers of 64 KB are read', async () => {
    const login = `Authorization: Basic ${btoa(`1:${'x'.repeat(48_000)}`)}`
    const answer = await exchange([head('GET', '/v1/transactions', login, closing)])
    expect(answer).toContain('"code":182')
  })

  for (const [what, path, header] of [
    ['a header', '/v1/transactions', `X-A: ${'x'.repeat(256 * 1024)}`],
    ['an endless query', `/v1/transactions?a=${'x'.repeat(4 * 1024 * 1024)}`, 'X-A: a'],
  ] as const)
    test(`an address or headers of more than 256 KB are rejected, because of ${what}`, async () => {
      expectUnreadable(
        await exchange([head('GET', path, LOGIN, header)]),
        '431 Request Header Fields Too Large',
      )
    })

  test('can contain a whole update with 80 items, as some clients send it', async () => {
    const { body } = await shop.post('/v1/transactions', prepared({ amount: '80.00' }))
    const items = Array.from({ length: 80 }, (_, index) => ({
      artno: `article-${index}`,
      description: `A thing with a name of some length, number ${index}, and what it is made of`,
      amount: '1.00',
      qty: 1,
      vat: '25.00',
      discount: '0.00',
    }))
    const query = encode({ amount: '80.00', items: JSON.stringify(items), process: false })
    expect(query.length).toBeGreaterThan(16 * 1024)
    const url = `http://127.0.0.1:${port}/v1/transactions/${body.id}?${query}`
    const headers = { authorization: authorizationOf(MERCHANT) }
    const answer = (await (await fetch(url, { method: 'PUT', headers })).json()) as {
      items: unknown[]
    }
    expect(answer.items).toHaveLength(80)
    expect((await shop.put(`/v1/transactions/${body.id}?${query}`)).body.items).toHaveLength(80)
  })
})

// Without the limit of ten seconds, Node itself would cut the connection after 60.
test('a client that sends a byte a second is cut off', { timeout: 50_000 }, async () => {
  const socket = connect(port, '127.0.0.1')
  const drip = setInterval(() => socket.write('X'), 1_000)
  socket.on('error', () => {}).resume()
  socket.write('GET /v1/transactions HTTP/1.1\r\nX-')
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(drip)
})
