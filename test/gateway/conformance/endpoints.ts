import { expect } from 'vitest'

import { row, type Section } from './rows.ts'
import { NEIGHBOUR, posted, STORABLE, type World } from './world.ts'

const lists = (path: (world: World) => string) => async (world: World) => {
  const { status, headers, body } = await world.get<unknown[]>(path(world), { limit: 1 })
  expect(status).toBe(200)
  expect(body).toHaveLength(1)
  expect(headers.get('content-range')).toMatch(/^items 1-1\/\d+$/)
}

export const ENDPOINTS: Section = {
  title: 'Endpoints',
  rows: [
    row(
      'GET /v1/transactions: array of transactions, Content-Range',
      lists(() => '/v1/transactions'),
    ),
    row('GET /v1/transactions/<id>: one transaction', async ({ get, paid }) =>
      expect((await get(`/v1/transactions/${paid.id}`)).body.id).toBe(paid.id),
    ),
    row(
      'GET /v1/customers/<id>/transactions: array of transactions',
      lists(({ customer }) => `/v1/customers/${customer.id}/transactions`),
    ),
    row(
      'GET /v1/subscription/<id>/transactions: array of transactions',
      lists(({ paid }) => `/v1/subscription/${paid.subscription?.id}/transactions`),
    ),
    row('POST /v1/transactions: the new transaction', async ({ pay }) =>
      expect((await pay()).status).toBe(200),
    ),
    row('PUT /v1/transactions/<id>: the transaction', async ({ put, pending }) =>
      expect((await put(`/v1/transactions/${pending.id}`, { process: false })).body.id).toBe(
        pending.id,
      ),
    ),
    row('PUT /v1/transactions/<id>/capture: the transaction', async ({ pay, put }) => {
      const { id } = (await pay({ authorize: true })).body
      expect((await put(`/v1/transactions/${id}/capture`, { amount: '10.00' })).body).toMatchObject(
        { id, status: 'approved' },
      )
    }),
    row('POST /v1/stored_cards: the new stored card', async ({ post }) =>
      expect((await post('/v1/stored_cards', STORABLE)).body.status).toBe('active'),
    ),
    row('POST /v1/stored_card: the same', async ({ post }) =>
      expect((await post('/v1/stored_card', STORABLE)).body.status).toBe('active'),
    ),
    row('GET /v1/stored_cards/<id>: one stored card', async ({ get, storedCard }) =>
      expect((await get(`/v1/stored_cards/${storedCard.id}`)).body.id).toBe(storedCard.id),
    ),
    row(
      'GET /v1/stored_cards: array of stored cards',
      lists(() => '/v1/stored_cards'),
    ),
    row(
      'GET /v1/customers/<id>/stored_cards: array of stored cards',
      lists(({ customer }) => `/v1/customers/${customer.id}/stored_cards`),
    ),
    row('GET /v1/webhooks/<id>: one webhook', async ({ get, httpWebhook }) =>
      expect((await get(`/v1/webhooks/${httpWebhook.id}`)).body).toEqual(httpWebhook),
    ),
    row(
      'GET /v1/webhooks: array of webhooks',
      lists(() => '/v1/webhooks'),
    ),
    row('POST {pay_url}/v1/form: redirects to success_url or error_url', async ({ browser }) => {
      for (const [card_cvv, page] of [
        ['200', 'thanks'],
        ['201', 'sorry'],
      ]) {
        const { status, headers } = await browser.post('/v1/form', posted({ card_cvv }))
        expect({ status, location: headers.get('location') }).toEqual({
          status: 303,
          location: expect.stringMatching(`^https://shop.example/${page}\\?`),
        })
      }
    }),
    row(
      'request parameters are form fields or query parameters',
      async ({ put, send, pending }) => {
        const path = `/v1/transactions/${pending.id}`
        expect(
          (await put(path, { process: false, 'metadata[by]': 'form' })).body.metadata,
        ).toMatchObject({ by: 'form' })
        expect(
          (await send('PUT', `${path}?process=false&metadata[by]=query`)).body.metadata,
        ).toMatchObject({ by: 'query' })
      },
    ),
    row('object-valued fields are JSON text in a form field', async ({ prepare }) => {
      const { body } = await prepare({
        metadata: '{"a":1}',
        webhook: '{"trigger":"payment","email":"a@b.example"}',
      })
      expect([body.metadata, body.webhooks.length]).toEqual([{ a: 1 }, 1])
    }),
    row(
      'a successful call answers 200 with the same JSON a GET would return',
      async ({ pay, get }) => {
        const { status, body } = await pay()
        expect(status).toBe(200)
        expect((await get(`/v1/transactions/${body.id}`)).body).toEqual(body)
      },
    ),
    row('a bad call answers 40x with a JSON error', async ({ get }) => {
      const { status, headers } = await get('/v1/transactions/0')
      expect([status, headers.get('content-type')]).toEqual([
        404,
        'application/json; charset=utf-8',
      ])
    }),
    row('related objects are references that can be expanded', async ({ get, paid, customer }) => {
      expect(
        (await get(`/v1/transactions/${paid.id}`, { extend: 'customer' })).body.customer,
      ).toEqual(customer)
    }),
    row('a merchant sees its own objects only', async ({ as, paid }) => {
      expect((await as(NEIGHBOUR).get(`/v1/transactions/${paid.id}`)).status).toBe(404)
    }),
  ],
}
