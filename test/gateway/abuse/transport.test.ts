import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect, test } from 'vitest'
import { head, LOGIN, listeningGateway } from './sockets.ts'

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
  const first = gateway.exchange(head('GET', '/docs'))
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
