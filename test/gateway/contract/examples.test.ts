import { describe, expect, test } from 'vitest'
import type { ApiError, Transaction } from '../../../mock-gateway/contract/wire.ts'
import { findEntryByName } from '../../../mock-gateway/domain/errors/errors.ts'
import { hashResponse, requestHash } from '../../../mock-gateway/domain/order/hash.ts'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/gateway.ts'
import {
  type Answer,
  at,
  listCalls,
  part,
  type Schema,
} from '../../../mock-gateway/web/docs/contract.ts'
import { readContract, validatorsOf } from '../../helpers/contract.ts'
import { encode, type Fields } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const contract = readContract()
const calls = listCalls(contract)
const validate = validatorsOf(contract)

/** Part of the document that can have examples: a body, a header, a parameter, or a schema. */
interface Shown {
  readonly schema: string
  readonly examples: readonly unknown[]
}

/** Keywords whose contents are values, not parts of the document. */
const VALUES: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const'])

/**
 * Yields every part of the document that can have examples, with its pointer. References are not
 * followed, so each part appears once.
 */
function* shownIn(
  node: unknown,
  pointer = '',
): Generator<readonly [pointer: string, shown: Shown]> {
  if (typeof node !== 'object' || node === null) return
  const { schema, example, examples } = node as Readonly<Record<string, unknown>>
  const single = example === undefined ? [] : [example]
  if (schema)
    yield [
      pointer,
      { schema: `${pointer}/schema`, examples: [...single, ...named(examples, pointer)] },
    ]
  else if (Array.isArray(examples)) yield [pointer, { schema: pointer, examples }]
  for (const [name, below] of Object.entries(node))
    if (!VALUES.has(name) || pointer.endsWith('/properties'))
      yield* shownIn(below, `${pointer}${part(name)}`)
}

const named = (examples: unknown, pointer: string): unknown[] =>
  Object.keys(examples ?? {}).map((name) => valueAt(`${pointer}/examples${part(name)}`))

const valueAt = (pointer: string) => at<{ readonly value: unknown }>(contract, pointer).value.value

describe('every example matches its schema:', () => {
  const shown = [
    ...shownIn({ paths: contract.paths, components: { ...contract.components, examples: {} } }),
  ].filter(([, { examples }]) => examples.length > 0)

  for (const [pointer, { schema, examples }] of shown)
    test(pointer, () => {
      const { pointer: where } = at<Schema>(contract, schema)
      expect(examples.flatMap((example) => validate(where, example, 'example'))).toEqual([])
    })
})

describe('every JSON answer has a possible example:', () => {
  const answers = calls.flatMap((call) =>
    Object.keys(call.operation.responses).map((status) => ({ call, status: Number(status) })),
  )
  const examplesOf = (pointer: string): unknown[] | undefined => {
    const answer = at<Answer>(contract, pointer)
    const json = answer.value.content?.['application/json']
    return json && named(json.examples, `${answer.pointer}/content${part('application/json')}`)
  }

  for (const { call, status } of answers) {
    const examples = examplesOf(`${call.pointer}/responses/${status}`)
    // The call that returns the document needs no example.
    if (examples && !call.path.endsWith('.json'))
      test(`${call.method} ${call.path} ${status}`, () => {
        expect(examples.length).toBeGreaterThan(0)
        if (status >= 400)
          for (const example of examples) expectError(example, status, call.operation['x-errors'])
      })
  }

  test('the answer to an unknown address has an example, too', () => {
    for (const [index, { responses, 'x-errors': known }] of contract['x-elsewhere'].entries())
      for (const status of Object.keys(responses))
        for (const example of examplesOf(`/x-elsewhere/${index}/responses/${status}`) ?? [])
          expectError(example, Number(status), known)
  })

  function expectError(example: unknown, status: number, known: readonly number[]) {
    const { name, code, description } = example as ApiError
    expect(findEntryByName(name)).toMatchObject({ code, http: status, en: description })
    expect(known).toContain(code)
  }
})

describe('the examples of payments work unchanged with the login of the default merchant:', async () => {
  const { id, password, secret } = DEFAULT_MERCHANT
  const gateway = await sharedGateway({ merchants: [{ id, password, secret }] })

  const sent = (name: string) => encode(valueAt(`/components/examples/${name}`) as Fields)

  test.each([
    ['CardPayment', 'approved'],
    ['PreparedPayment', 'pending'],
  ])('%s is %s', async (name, status) => {
    const { body } = await gateway.send<Transaction>('POST', '/v1/transactions', sent(name))
    expect(body.status).toBe(status)
  })

  test('SubmittedForm leads to its success_url', async () => {
    const { headers } = await gateway.browser.send('POST', '/v1/form', sent('SubmittedForm'))
    expect(headers.get('location')).toMatch(/^https:\/\/shop\.example\/thanks\?/)
  })

  test('PaidTransaction has the hashes of its order', () => {
    const paid = valueAt('/components/examples/PaidTransaction') as Transaction
    const order = {
      merchantId: String(paid.merchant_id),
      paymentRef: paid.payment_ref,
      customerRef: paid.ref ?? '',
      amount: paid.amount,
      currency: paid.currency,
    }
    expect(paid.request_hash).toBe(
      requestHash({ ...order, test: paid.test }, DEFAULT_MERCHANT.secret),
    )
    expect(paid.response_hash).toBe(
      hashResponse({ ...order, status: paid.status }, DEFAULT_MERCHANT.secret),
    )
  })
})
