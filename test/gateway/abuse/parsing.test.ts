import { beforeEach, describe, expect, test } from 'vitest'
import {
  encode,
  type Fields,
  hashed,
  MERCHANT,
  payment,
  prepared,
  startGateway,
} from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { DATABASES } from '../storage/databases.ts'
import { ACCEPTED, API, expectEach, outcome } from './outcomes.ts'

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

const shop = await sharedGateway()

let order: Fields
beforeEach(() => {
  order = hashed(prepared(), MERCHANT)
})

const sendForm = async (body: string, type = FORM) =>
  outcome(await shop.send('POST', API, body, { 'content-type': type }))
const sendJson = (body: string) => sendForm(body, JSON_TYPE)
/** Sends a valid JSON object with added members. */
const addToJson = (members: string) => sendJson(JSON.stringify(order).replace('{', `{${members},`))

describe('bodies with another content type', () => {
  test('type confusion: an extend of any shape never fails, and never rejects a payment that was made', async () => {
    const shapes = [
      '[]=customer',
      '[a]=customer',
      '[0][a]=1',
      '[a][b]=c',
      '=%5B%7B%7D%5D',
      '=%7B%22a%22%3A',
      '=customer',
    ]
    await expectEach(shapes, ACCEPTED, async (shape) =>
      outcome(
        await shop.send(
          'POST',
          `${API}?extend${encodeURI(shape)}`,
          encode(hashed(payment(), MERCHANT)),
        ),
      ),
    )
    expect(await addToJson('"extend":[{"a":1},null,[]]')).toBe(ACCEPTED)
  })
})

test.each(['__proto__', 'constructor', 'prototype'])(
  '%s is an ordinary name, wherever it is sent',
  async (key) => {
    const text = `{"${key}":{"x":[{"${key}":1}]}}`
    const sent = [
      [`${encode(order)}&${key}[test]=1&metadata=${encodeURIComponent(text)}`, FORM],
      [
        JSON.stringify(hashed(prepared(), MERCHANT)).replace(
          '{',
          `{"${key}":{"x":1},"metadata":${text},`,
        ),
        JSON_TYPE,
      ],
      [`${encode(hashed(prepared(), MERCHANT))}&metadata[${key}][x][][${key}]=1`, FORM],
    ] as const
    for (const [body, type] of sent) {
      const { id } = (await shop.send('POST', API, body, { 'content-type': type })).body
      await shop.put(`${API}/${id}`, { process: false, [`metadata[${key}][y]`]: '2' })
      const { metadata } = (await shop.get(`${API}/${id}`)).body
      const written = JSON.stringify(metadata).replaceAll('"1"', '1')
      expect(written).toBe(`{"${key}":{"x":[{"${key}":1}],"y":"2"}}`)
    }
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  },
)

test.each(DATABASES)('a NUL character in any address finds nothing on %s', async (_name, open) => {
  const place = await open()
  const elsewhere = await startGateway({ database: place.target })
  const rooms = 'transactions stored_cards customers plans subscriptions webhooks refunds'.split(
    ' ',
  )
  for (const room of rooms) expect((await elsewhere.get(`/v1/${room}/%00`)).status).toBe(404)
  expect((await elsewhere.browser.get('/v1/form/%00')).status).toBe(404)
  const attempt = await elsewhere.browser.get('/v1/attempts/%00', { merchant_id: MERCHANT.id })
  expect(attempt.body).toEqual({ state: 'unknown' })
  await elsewhere.close()
  await place.remove()
})
