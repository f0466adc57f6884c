import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { QUESTION_KINDS } from '../../../mock-gateway/domain/card/bank-questions.ts'
import { CARD_TYPES, formatCardType } from '../../../mock-gateway/domain/card/card-types.ts'
import { RESULTS, VERSIONS } from '../../../mock-gateway/domain/card/three-d-secure.ts'
import { OUTCOMES } from '../../../mock-gateway/domain/card/three-d-secure-cases.ts'
import { CATALOGUE } from '../../../mock-gateway/domain/errors/catalogue.ts'
import { LANGUAGES } from '../../../mock-gateway/domain/language/languages.ts'
import { DECIMALS } from '../../../mock-gateway/domain/money/currencies.ts'
import {
  PAYMENT_METHOD_NAMES,
  readPaymentMethod,
} from '../../../mock-gateway/domain/order/payment-methods.ts'
import { STATES } from '../../../mock-gateway/domain/order/states.ts'
import { TRIGGERS } from '../../../mock-gateway/domain/webhook/triggers.ts'
import {
  at,
  listCalls,
  type Parameter,
  type RequestBody,
  type Schema,
} from '../../../mock-gateway/web/docs/contract.ts'
import { readContract, validatorsOf } from '../../helpers/contract.ts'
import { readControlContract } from '../../helpers/control-contract.ts'
import { CARD, type Fields, payment, prepared } from '../../helpers/gateway.ts'
import { share } from '../../helpers/shared.ts'
import { until } from '../../helpers/sink.ts'
import { openShop } from '../webhooks/shop.ts'

const contract = readContract()
const control = readControlContract()
const calls = listCalls(contract)

/** Payment methods that a request can choose. */
const CHOSEN_METHODS = PAYMENT_METHOD_NAMES.filter((name) => readPaymentMethod(name) === name)

const DOCUMENTS = [
  ['the merchants’ API', contract, 500],
  ['the control API', control, 100],
] as const

test.each(DOCUMENTS)('the document of %s is OpenAPI 3.1', async (_what, contract) => {
  const validator = new Validator()
  const { errors } = await validator.validate(JSON.parse(JSON.stringify(contract)))
  expect(errors).toBeUndefined()
  expect(validator.version).toBe('3.1')
})

describe('the contract agrees with', () => {
  const schema = (name: string) => at<Schema>(contract, `/components/schemas/${name}`).value
  const known = new Set<number>(CATALOGUE.map(({ code }) => code))

  test('the error catalogue: both have the same codes', () => {
    const refusing = [...calls.map(({ operation }) => operation), ...contract['x-elsewhere']]
    const named = refusing.flatMap((one) => one['x-errors'])
    expect(named.filter((code) => !known.has(code))).toEqual([])
  })

  test.each([
    ['Currency', contract, 'schemas/Currency', Object.keys(DECIMALS)],
    ['CardType', contract, 'schemas/CardType', CARD_TYPES.map(formatCardType)],
    ['status', contract, 'schemas/Transaction/properties/status', Object.keys(STATES)],
    ['locale', contract, 'parameters/Locale/schema', Object.keys(LANGUAGES)],
    ['lang', contract, 'parameters/Lang/schema', Object.keys(LANGUAGES)],
    [
      'payment_method of an order',
      contract,
      'schemas/Order/properties/payment_method',
      CHOSEN_METHODS,
    ],
    ['question', contract, 'schemas/Bank/properties/question', QUESTION_KINDS],
    ['result', contract, 'schemas/BankAction/properties/result', RESULTS],
    ['version', contract, 'schemas/ThreeDSecure/properties/version', VERSIONS],
  ] as const)('the table of its names: %s', (_name, document, pointer, table) => {
    const named = at<{ enum: readonly string[] }>(document, `/components/${pointer}`).value.enum
    expect(named.toSorted()).toEqual([...table].sort())
  })

  test('the simulated bank about the number of outcomes', () => {
    expect(schema('BankAction').properties?.case?.maximum).toBe(Math.max(...OUTCOMES.keys()))
  })

  test('itself: each call has its own name', () => {
    const names = new Map(calls.map(({ pointer, operation }) => [pointer, operation.operationId]))
    expect(new Set(names.values()).size).toBe(names.size)
  })
})

test('every body can be sent as a form, as multipart or as JSON', () => {
  const bodies = calls.flatMap(({ pointer, operation }) =>
    operation.requestBody ? at<RequestBody>(contract, `${pointer}/requestBody`).value : [],
  )
  expect(bodies.length).toBeGreaterThan(10)
  for (const { content } of bodies)
    expect(Object.keys(content)).toEqual([
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/json',
    ])
})

test('every returned object is closed: it has no undocumented fields', () => {
  const answered =
    'Transaction StoredCard Customer Refund Capture Webhook Plan Subscription Error Cost ClientInfo LogEvent PaymentDetails'
  for (const name of answered.split(' ')) {
    const { additionalProperties, required, properties } = schemaOf(name)
    expect({ name, additionalProperties, required: [...(required ?? [])].sort() }).toEqual({
      name,
      additionalProperties: false,
      required: Object.keys(properties ?? {}).sort(),
    })
  }
})

const schemaOf = (name: string) => at<Schema>(contract, `/components/schemas/${name}`).value

describe('webhooks', async () => {
  const validate = validatorsOf(contract)

  const shop = await share(openShop())

  /** Requests that fire each webhook, by trigger. */
  const MAKES: Readonly<Record<(typeof TRIGGERS)[number], (webhook: Fields) => Promise<unknown>>> =
    {
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
        return shop.browser.send(
          'POST',
          new URL(body.href).pathname,
          String(new URLSearchParams(CARD)),
        )
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
        return shop.post('/v1/refunds', {
          transaction_id: body.id,
          amount: '1.00',
          reason: 'Broken',
        })
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
          const { value, pointer: where } = at<Parameter>(
            contract,
            `${pointer}/parameters/${index}`,
          )
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
})
