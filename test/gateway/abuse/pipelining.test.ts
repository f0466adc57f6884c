import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authorizationOf, encode, hashed, MERCHANT, payment, START } from '../../helpers/gateway.ts'
import { head, type ListeningGateway, LOGIN, listeningGateway } from './sockets.ts'

let gateway: ListeningGateway
let begun = 0
beforeAll(async () => {
  // Each request reads the clock once, at its start.
  const now = () => {
    begun += 1
    return START
  }
  gateway = await listeningGateway({ clock: { now, advance: () => {} } })
})
afterAll(() => gateway.close())

/** Counts the answers to a packet of requests, and the requests that were started. */
async function pipeline(count: number) {
  begun = 0
  const last = head('GET', '/v1/transactions', LOGIN, 'Connection: close')
  const answer = await gateway.exchange(
    head('GET', '/v1/transactions', LOGIN).repeat(count - 1) + last,
  )
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
  const server = createServer((request, response) => {
    request.once('end', () => request.socket.destroy())
    shop.gateway.app(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  const headers = { authorization: authorizationOf(MERCHANT) }
  const body = new URLSearchParams(encode(fields))
  await expect(
    fetch(`http://127.0.0.1:${port}/v1/transactions`, { method: 'POST', headers, body }),
  ).rejects.toThrow()
  server.close()
  const { body: made } = await shop.get('/v1/transactions', {
    'filter[payment_ref]': String(fields.payment_ref),
  })
  expect(made).toEqual([])
})
