import { afterAll, beforeAll, expect, test } from 'vitest'
import { TRIGGERS } from '../../../mock-gateway/domain/webhook/triggers.ts'
import {
  at,
  type Parameter,
  type RequestBody,
  type Schema,
} from '../../../mock-gateway/web/docs/contract.ts'
import { readContract, validatorsOf } from '../../helpers/contract.ts'
import { CARD, type Fields, payment, prepared } from '../../helpers/gateway.ts'
import { until } from '../../helpers/sink.ts'
import { openShop, type Shop } from '../webhooks/shop.ts'

const contract = readContract()
const validate = validatorsOf(contract)

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

/** Requests that fire each webhook, by trigger. */
const MAKES: Readonly<Record<(typeof TRIGGERS)[number], (webhook: Fields) => Promise<unknown>>> = {
  payment: (webhook) =>
    shop.post('/v1/transactions', payment(webhook), {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    }),
  payment_success: (webhook) =>
    shop.post('/v1/transactions', payment({ ...webhook, authorize: true })),
  payment_error: (webhook) =>
    shop.post('/v1/transactions', payment({ ...webhook, card_cvv: '201' })),
  async payment_form(webhook) {
    const { body } = await shop.post('/v1/transactions', prepared(webhook))
    return shop.browser.send('POST', new URL(body.href).pathname, String(new URLSearchParams(CARD)))
  },
  async recurring_success(webhook) {
    const plan = {
      name: 'Box',
      interval: 1,
      interval_unit: 'months',
      prices: '{"sek":"10.00"}',
      hash: undefined,
    }
    const { body } = await shop.post('/v1/plans', plan)
    await shop.post(
      '/v1/transactions',
      payment({ ...webhook, plan_id: body.id, customer_ref: 'c1' }),
    )
    return shop.gateway.clock.advance({ months: 1 })
  },
  async refund(webhook) {
    const { body } = await shop.post('/v1/transactions', payment(webhook))
    return shop.post('/v1/refunds', { transaction_id: body.id, amount: '1.00', reason: 'Broken' })
  },
  stored_card: (webhook) =>
    shop.post('/v1/transactions', payment({ ...webhook, store_card: true })),
  before_payment: (webhook) => shop.post('/v1/transactions', payment(webhook)),
}

test('the document names exactly the triggers that can fire', () => {
  expect(Object.keys(contract.webhooks)).toEqual(TRIGGERS)
  expect(at<Schema>(contract, '/components/schemas/Trigger').value.enum).toEqual(TRIGGERS)
  const names = Object.values(contract.webhooks).map(({ post }) => post?.operationId)
  expect(new Set(names).size).toBe(TRIGGERS.length)
})

test.each(TRIGGERS)(
  'the webhook %s matches the document: headers, and a body of each format',
  async (trigger) => {
    const pointer = `/webhooks/${trigger}/post`
    const { parameters = [] } = at<{ parameters?: Parameter[] }>(contract, pointer).value
    const body = at<RequestBody>(contract, `${pointer}/requestBody`)
    const formats = {
      json: 'application/json',
      form_data: 'application/x-www-form-urlencoded',
      xml: 'application/xml',
    }
    expect(Object.keys(body.value.content)).toEqual(Object.values(formats))
    for (const [data_format, type] of Object.entries(formats)) {
      const url = `${shop.sink.url}/${trigger}/${data_format}`
      await MAKES[trigger]({ webhook: JSON.stringify({ trigger, url, data_format }) })
      const call = await until(async () =>
        shop.sink.received.find(({ path }) => url.endsWith(path)),
      )
      expect(call.headers['content-type']).toMatch(type)
      for (const index of parameters.keys()) {
        const { value, pointer: where } = at<Parameter>(contract, `${pointer}/parameters/${index}`)
        const header = call.headers[value.name]
        expect(value.in).toBe('header')
        if (value.required || header !== undefined)
          expect(validate(`${where}/schema`, header, value.name)).toEqual([])
      }
      const sent =
        data_format === 'json'
          ? JSON.parse(call.body)
          : Object.fromEntries(new URLSearchParams(call.body))
      const { pointer: schema } = at(
        contract,
        `${body.pointer}/content/${type.replace('/', '~1')}/schema`,
      )
      expect(validate(schema, sent, trigger)).toEqual([])
    }
  },
)
