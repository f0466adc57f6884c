import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashed, payment, startGateway, type TestGateway } from '../../helpers/gateway.ts'

let shop: TestGateway
let server: Server
let port: number
beforeAll(async () => {
  shop = await startGateway()
  server = createServer(shop.gateway.app).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await shop.close()
})

const LOGIN = `Authorization: Basic ${btoa('1:correct horse')}`
const FORM = 'Content-Type: application/x-www-form-urlencoded'
const KILOBYTE = 'x'.repeat(1024)

/** Writes these pieces to a connection of its own, one after the other, and reads until it is closed. */
function exchange(pieces: readonly string[], { hangUp = false } = {}): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1').on('data', (text) => {
      answer += text
    })
    // A refused client may find its connection reset while it is still writing.
    socket.on('error', () => {})
    socket.once('close', () => resolve(answer))
    for (const piece of pieces) socket.write(piece)
    if (hangUp) socket.end()
  })
}

const head = (method: string, path: string, ...headers: string[]) =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`
const closing = 'Connection: close'

describe('a body', () => {
  const post = (body: string) =>
    fetch(`http://127.0.0.1:${port}/v1/transactions`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa('1:correct horse')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body,
    })
  const form = () => String(new URLSearchParams(hashed(payment(), shop.merchant) as Record<string, string>))

  const amountsOf = async (sent: string) => {
    const payment_ref = new URLSearchParams(sent).get('payment_ref') ?? ''
    const { body } = await shop.get<{ amount: string }[]>('/v1/transactions', { 'filter[payment_ref]': payment_ref })
    return body.map(({ amount }) => amount)
  }

  test('of 256 KB is read', async () => {
    const start = `${form()}&ignored=`
    const answer = await post(start + 'x'.repeat(256 * 1024 - start.length))
    expect(await answer.json()).toMatchObject({ status: 'approved' })
  })

  test('of one byte more is refused with 253, and the connection closed', async () => {
    const start = `${form()}&ignored=`
    const answer = await post(start + 'x'.repeat(256 * 1024 + 1 - start.length))
    expect(answer.status).toBe(400)
    expect(answer.headers.get('connection')).toBe('close')
    expect(await answer.json()).toMatchObject({ code: 253 })
  })

  test('that promises too much is refused before it is sent', async () => {
    const answer = await exchange([head('POST', '/v1/transactions', LOGIN, FORM, 'Content-Length: 1000000000')])
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"code":253')
  })

  test('that promises nothing is refused once it is too long', async () => {
    const chunk = `400\r\n${KILOBYTE}\r\n`
    const pieces = Array.from({ length: 4096 }, () => chunk)
    const answer = await exchange([
      head('POST', '/v1/transactions', LOGIN, FORM, 'Transfer-Encoding: chunked'),
      ...pieces,
    ])
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"code":253')
  })

  test('that ends earlier than promised changes nothing', async () => {
    const sent = form()
    await exchange([head('POST', '/v1/transactions', LOGIN, FORM, `Content-Length: ${sent.length + 10}`), sent], {
      hangUp: true,
    })
    expect(await amountsOf(sent)).toEqual([])
  })

  test('that goes on longer than promised never counts beyond what was promised', async () => {
    const sent = form()
    const lying = head('POST', '/v1/transactions', LOGIN, FORM, `Content-Length: ${sent.length}`)
    expect(await exchange([lying, `${sent}&amount=999.00`])).toMatch(/^HTTP\/1\.1 400 /)
    expect(await amountsOf(sent)).not.toContain('999.00')
  })

  test('that is compressed is refused with 253', async () => {
    const headers = [LOGIN, FORM, 'Content-Encoding: gzip', 'Content-Length: 4', closing]
    expect(await exchange([head('POST', '/v1/transactions', ...headers), 'abcd'])).toContain('"code":253')
  })

  for (const [what, body] of [
    ['1,001 parameters', Array.from({ length: 1001 }, (_, index) => `p${index}=1`).join('&')],
    ['200,000 empty parameters', '&'.repeat(200_000)],
    ['17 levels of brackets', `metadata${'[a]'.repeat(17)}=1`],
    ['50,000 levels of brackets', `metadata${'[a]'.repeat(50_000)}=1`],
  ] as const)
    test(`with ${what} is refused with 253`, async () => {
      expect(await (await post(body)).json()).toMatchObject({ code: 253 })
    })

  test('with 50,000 levels of JSON is refused, not choked on', async () => {
    expect(await (await post(`${form()}&metadata=${'['.repeat(50_000)}`)).json()).toMatchObject({ code: 149 })
  })
})

describe('a request', () => {
  test('with two Authorization headers is refused', async () => {
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
    test(`with ${what} is refused before anything looks at it`, async () => {
      const answer = await exchange([head('POST', '/v1/transactions', LOGIN, FORM, ...headers, closing), 'a=1\n'])
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    })

  test('with a Host of somebody else is answered with our own links', async () => {
    const body = String(new URLSearchParams(hashed(payment(), shop.merchant) as Record<string, string>))
    const headers = [LOGIN, FORM, 'Host: evil.example', `Content-Length: ${body.length}`, closing]
    const answer = await exchange([head('POST', 'http://evil.example/v1/transactions', ...headers), body])
    expect(answer).not.toContain('"href":"http://evil')
  })

  test('with raw bytes that are no UTF-8 in its query is refused with 200', async () => {
    const socketText = Buffer.from([0xff]).toString('latin1')
    const answer = await exchange([head('GET', `/v1/transactions?a=${socketText}`, LOGIN, closing)])
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  })
})

test('a header of 64 KB is refused before anything looks at it', async () => {
  const answer = await exchange([
    head('GET', '/v1/transactions', `Authorization: Basic ${'x'.repeat(65_536)}`, closing),
  ])
  expect(answer).toMatch(/^HTTP\/1\.1 431 /)
})

test('after all that the gateway still answers', async () => {
  expect((await shop.post('/v1/transactions', payment())).body.status).toBe('approved')
})
