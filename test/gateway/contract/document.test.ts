import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  type Answer,
  at,
  callsOf,
  type Media,
  part,
  type RequestBody,
  type Schema,
} from '../../../mock-gateway/api/docs/contract.ts'
import { parseContract } from '../../../mock-gateway/api/docs/parse.ts'
import { CARD_TYPES, wireCardType } from '../../../mock-gateway/domain/cards.ts'
import { DECIMALS } from '../../../mock-gateway/domain/currencies.ts'
import { CATALOGUE } from '../../../mock-gateway/domain/error-catalogue.ts'
import { STATES } from '../../../mock-gateway/domain/states.ts'
import { LISTED_FIELDS } from '../../../mock-gateway/storage/list.ts'
import { CONTRACT_FILE, validatorsOf } from '../../helpers/contract.ts'

const contract = parseContract(readFileSync(CONTRACT_FILE, 'utf8'))
const calls = callsOf(contract)
const validate = validatorsOf(contract)

describe('every example is valid:', () => {
  // Calls share bodies; each is looked at once.
  for (const [pointer, { examples = {} }] of new Map(calls.flatMap(bodiesOf)))
    for (const name of Object.keys(examples))
      test(`${name} of ${pointer}`, () => {
        const { value } = at<{ value: unknown }>(contract, `${pointer}/examples${part(name)}`).value
        expect(validate(at(contract, `${pointer}/schema`).pointer, value, 'example')).toEqual([])
      })
})

/** The bodies of a call, both ways, by their pointers. */
function bodiesOf({ pointer, operation }: (typeof calls)[number]): [pointer: string, media: Media][] {
  const request = operation.requestBody ? [at<RequestBody>(contract, `${pointer}/requestBody`)] : []
  const answers = Object.keys(operation.responses).map((status) =>
    at<Answer>(contract, `${pointer}/responses/${status}`),
  )
  return [...request, ...answers].flatMap((body) =>
    Object.entries(body.value.content ?? {}).map(([type, media]): [string, Media] => [
      `${body.pointer}/content${part(type)}`,
      media,
    ]),
  )
}

describe('the contract agrees with', () => {
  const schema = (name: string) => at<Schema>(contract, `/components/schemas/${name}`).value
  const known = new Set<number>(CATALOGUE.map(({ code }) => code))

  test('the error catalogue: it names no other codes', () => {
    const named = [...calls.flatMap(({ operation }) => operation['x-errors']), ...contract['x-errors-elsewhere']]
    expect(named.filter((code) => !known.has(code))).toEqual([])
  })

  test.each(
    Object.entries({
      transactions: 'TransactionFilter',
      stored_cards: 'StoredCardFilter',
      customers: 'CustomerFilter',
      refunds: 'RefundFilter',
      webhooks: 'WebhookFilter',
      plans: 'PlanFilter',
      subscriptions: 'SubscriptionFilter',
    } as const satisfies Record<keyof typeof LISTED_FIELDS, string>),
  )('what %s can be filtered by', (table, name) => {
    const kinds: Readonly<Record<string, string>> = {
      string: 'Text',
      word: 'Word',
      exact: 'Exact',
      boolean: 'Flag',
      integer: 'Number',
      decimal: 'Amount',
      date: 'Day',
    }
    const { properties } = at<{ schema: Schema }>(contract, `/components/parameters/${name}`).value.schema
    const fields = Object.entries(LISTED_FIELDS[table as keyof typeof LISTED_FIELDS])
    expect(properties).toEqual(
      Object.fromEntries(fields.map(([field, type]) => [field, { $ref: `#/components/schemas/${kinds[type]}Filter` }])),
    )
  })

  test('the currencies, the card types and the states', () => {
    expect(schema('Currency').enum).toEqual(Object.keys(DECIMALS))
    expect(schema('CardType').enum).toEqual(CARD_TYPES.map(wireCardType))
    expect(schema('Transaction').properties?.status?.enum).toEqual(Object.keys(STATES))
  })

  test('itself: each call has a name of its own', () => {
    const names = new Map(calls.map(({ pointer, operation }) => [pointer, operation.operationId]))
    expect(new Set(names.values()).size).toBe(names.size)
  })
})

test('every answered object is closed: nothing undocumented can hide in it', () => {
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
