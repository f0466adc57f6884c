import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { connect } from 'node:net'
import express from 'express'
import { describe, expect, test } from 'vitest'
import { answerInProcess } from '../../../../mock-gateway/web/http/in-process.ts'
import { hashed, payment, startGateway } from '../../../helpers/gateway.ts'
import { listen } from '../../../helpers/listening.ts'
import { openGateway } from '../../../helpers/shared-gateway.ts'

const ask = (
  listener: RequestListener,
  init: RequestInit = {},
  url = 'http://shop.example:8080/a/b?c=d%20e',
) => answerInProcess(listener)(new Request(url, init))

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return body
}

const echo: RequestListener = (request, response) => {
  const { method, url, headers, socket } = request
  void bodyOf(request).then((body) =>
    response.end(
      JSON.stringify({
        method,
        url,
        host: headers.host,
        x: headers['x-a'],
        ip: socket.remoteAddress,
        body,
      }),
    ),
  )
}

describe('a listener sees the same request as from a client on this machine', () => {
  for (const [method, body] of [
    ['GET', null],
    ['POST', 'å=1'],
    ['POST', ''],
    ['PUT', 'x'.repeat(300_000)],
    ['DELETE', 'gone'],
    ['DELETE', null],
  ] as const)
    test(`${method} with ${body === null ? 'no body' : `a body of ${body.length}`}`, async () => {
      const answer = await ask(echo, { method, body, headers: { 'x-a': 'b' } })
      expect(await answer.json()).toEqual({
        method,
        url: '/a/b?c=d%20e',
        host: 'shop.example:8080',
        x: 'b',
        ip: '127.0.0.1',
        body: body ?? '',
      })
    })
})

describe('the answer of a listener is returned', () => {
  const answerWith = (work: (response: ServerResponse) => void) =>
    ask((_request, response) => work(response))

  test('with status, headers, each repeated header, and bytes', async () => {
    const answer = await answerWith((response) => {
      response.writeHead(418, {
        'Content-Type': 'application/octet-stream',
        'Set-Cookie': ['a=1', 'b=2'],
      })
      response.write(Buffer.from([0, 255]))
      response.end(Buffer.from([254]))
    })
    expect(answer.status).toBe(418)
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(answer.headers.get('connection')).toBeNull()
    expect([...new Uint8Array(await answer.arrayBuffer())]).toEqual([0, 255, 254])
  })

  for (const status of [204, 304])
    test(`without a body for ${status}`, async () => {
      const answer = await answerWith((response) => response.writeHead(status).end())
      expect([answer.status, answer.body]).toEqual([status, null])
    })

  test('as an error if the connection is cut', async () => {
    await expect(answerWith((response) => response.destroy())).rejects.toThrow()
  })
})

test('an aborted request closes its connection, like a client that disconnects', async () => {
  const leaving = new AbortController()
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  const answer = ask(
    (request) => {
      request.once('close', resolve)
      leaving.abort()
    },
    { signal: leaving.signal },
  )
  await expect(answer).rejects.toThrow('aborted')
  await gone
})

test('other Express apps of the process are not disturbed', async () => {
  const shop = await openGateway()
  await shop.post('/v1/transactions', payment())
  const other = express()
  other.get('/', (request, response) => response.json({ ip: request.ip, host: request.hostname }))
  const { url, port, close } = await listen(createServer(other))
  expect(await (await fetch(url)).json()).toEqual({ ip: '127.0.0.1', host: '127.0.0.1' })
  const socket = connect(port, '127.0.0.1', () =>
    socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n'),
  )
  const cut = new Promise((resolve) => {
    other.get('/slow', (request) => {
      request.once('close', resolve)
      socket.destroy()
    })
  })
  await cut
  await close()
})

test('two gateways in one process share nothing', async () => {
  const [one, two] = await Promise.all([
    startGateway({ seed: 'one' }),
    startGateway({
      seed: 'two',
      merchants: [{ id: 1, password: 'another', secret: 'another' }],
      addresses: {
        base: 'http://api.example',
        pay: 'http://pay.example',
        cdn: 'http://cdn.example',
      },
    }),
  ])
  const fields = payment()
  const { body } = await one.post('/v1/transactions', fields)
  expect((await two.get<unknown[]>('/v1/transactions')).body).toEqual([])
  expect((await two.get('/v1/transactions/1')).body.code).toBe(128)
  expect((await one.post('/v1/transactions', hashed(fields, two.merchant))).body.code).toBe(107)
  const theirs = await two.post('/v1/transactions', fields)
  expect(theirs.body).toMatchObject({
    id: body.id,
    status: 'approved',
    payment_ref: body.payment_ref,
  })
  expect(theirs.body.href).toMatch(/^http:\/\/pay\.example\//)
  one.clock.advance(3_600_000)
  await one.close()
  const later = await two.post('/v1/transactions', payment())
  expect(later.body.created_at).toBe(theirs.body.created_at)
  await two.close()
})
