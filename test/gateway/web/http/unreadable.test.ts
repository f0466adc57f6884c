import { createServer, type RequestListener, type ServerOptions } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { answerUnreadable, PARSER_LIMITS } from '../../../../mock-gateway/web/http/unreadable.ts'
import { listen, type OwnServer } from '../../../helpers/listening.ts'

const servers: OwnServer[] = []
afterEach(() => {
  for (const server of servers.splice(0)) void server.close()
})

/**
 * Starts a server, and opens a connection to it. `said` resolves with the whole answer when the
 * connection is closed.
 */
async function connected(listener: RequestListener, options: ServerOptions = {}) {
  const server = createServer({ ...PARSER_LIMITS, ...options }, listener)
  answerUnreadable(server)
  const own = await listen(server)
  servers.push(own)
  const socket = connect(own.port, '127.0.0.1')
  return { socket, said: saidBy(socket) }
}

function saidBy(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('utf8').on('data', (more) => {
    text += more
  })
  socket.on('error', () => {})
  return new Promise((resolve) => socket.once('close', () => resolve(text)))
}

const IMPATIENT = { headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 20 }

test('a request that does not arrive in time is rejected with status 408', async () => {
  for (const start of [
    'GET / HTTP/1.1\r\nHost: a\r\n',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf',
  ]) {
    const { socket, said } = await connected((request) => request.resume(), IMPATIENT)
    socket.write(start)
    expect(await said).toMatch(
      /^HTTP\/1\.1 408 Request Timeout\r\n.*\r\n\r\n\{"name":"errors\.request\.bad_format","code":253,/s,
    )
  }
})

test('chunks with endless extensions are rejected with status 413', async () => {
  const { socket, said } = await connected((request) => request.resume())
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
  socket.write(`1;${'x'.repeat(20_000)}\r\na\r\n`)
  expect(await said).toMatch(/^HTTP\/1\.1 413 .*"code":253/s)
})

test('an unreadable request in the middle of another answer adds nothing to that answer', async () => {
  const { socket, said } = await connected((_request, response) => {
    response.writeHead(200, { 'Content-Length': 10 })
    response.write('half ')
    socket.write('nonsense\r\n\r\n')
  })
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  expect(await said).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\nhalf $/s)
})

test('an unreadable request after another answer is rejected as usual', async () => {
  const { socket, said } = await connected((_request, response) => {
    response.end('whole', () => socket.write('nonsense\r\n\r\n'))
  })
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  expect(await said).toMatch(/^HTTP\/1\.1 200 .*wholeHTTP\/1\.1 400 .*"code":253/s)
})
