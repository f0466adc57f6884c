import { describe, expect, test } from 'vitest'
import { callsToMake } from '../../../build/contract-types/calls.ts'
import { CALLS } from '../../../mock-gateway/client/calls.ts'
import { createControl, withOperations } from '../../../mock-gateway/client/control.ts'
import {
  type Client,
  createClient,
  LoginError,
  NoAnswerError,
  NotFoundError,
  PaymentError,
  RefusedError,
  TimeoutError,
  UnavailableError,
} from '../../../mock-gateway/client.ts'
import { at, part, type RequestBody } from '../../../mock-gateway/web/docs/contract.ts'
import { checkAnswer, readAnswer, readContract } from '../../helpers/contract.ts'
import { MERCHANT, URLS } from '../../helpers/gateway.ts'
import { serve } from '../../helpers/listening.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const gateway = await sharedGateway()

/** Sends a request and validates the answer against the contract. */
const held = async (request: Request): Promise<Response> => {
  const { method, url } = request
  const answer = await gateway.gateway.handle(request)
  const text = await answer.clone().text()
  const { pathname, search } = new URL(url)
  checkAnswer(
    method,
    pathname + search,
    answer.status,
    answer.headers,
    readAnswer(answer.headers, text),
  )
  return answer
}

const clientOf = (over: Partial<Parameters<typeof createClient>[0]>): Client =>
  createClient({
    merchantId: MERCHANT.id,
    password: MERCHANT.password,
    secret: MERCHANT.secret,
    fetch: held,
    ...over,
  })

const client = clientOf({})

const contract = readContract()
const example = (name: string) =>
  at<{ readonly value: object }>(contract, `/components/examples/${name}`).value.value

let orders = 0
const order = (over: object = {}) => ({
  amount: '10.00',
  currency: 'sek',
  payment_ref: `client-${++orders}`,
  test: true,
  card_number: '4111111111111111',
  card_holder: 'Kim Berg',
  card_expiry: '1230',
  card_cvv: '200',
  ...over,
})

describe('the examples of the contract work unchanged:', () => {
  const calls = callsToMake(contract)
  const examplesOf = (pointer: string) => {
    const body = at<RequestBody>(contract, `${pointer}/requestBody`)
    const [type = '', media] = Object.entries(body.value.content)[0] ?? []
    return Object.keys(media?.examples ?? {}).map(
      (name) =>
        at<{ readonly value: object }>(
          contract,
          `${body.pointer}/content${part(type)}/examples${part(name)}`,
        ).value.value,
    )
  }
  const withBody = calls.filter(({ operation }) => operation.requestBody)

  /** Creates the objects that addresses and examples contain. */
  async function made(): Promise<Readonly<Record<string, number | string>>> {
    const paid = await client.createTransaction(
      order({ store_card: true, customer_ref: `c${++orders}` }),
    )
    const plan = await client.createPlan({
      ...(example('NewPlan') as Parameters<Client['createPlan']>[0]),
    })
    const reserved = await client.createTransaction(order({ authorize: true }))
    const card = paid.stored_card?.id ?? 0
    const subscription = await client.createSubscription({ plan_id: plan.id, stored_card_id: card })
    const prepared = await client.createTransaction({
      ...order({ process: false, card_number: undefined }),
      ...URLS,
    })
    const { location = '' } = await client.authenticateOrder({
      ...order({ card_number: '4000000000001091' }),
      mpi_nonce: String(orders).padStart(32, '0'),
    })
    return {
      updateTransaction: prepared.id,
      captureTransaction: reserved.id,
      updateStoredCard: card,
      updateCustomer: paid.customer?.id ?? 0,
      updatePlan: plan.id,
      updateSubscription: subscription.id,
      submitPaymentPage: prepared.href.slice(-22),
      answerBank: location.split('/').at(-1) ?? '',
      notePageOfBank: location.split('/').at(-1) ?? '',
      transaction_id: paid.id,
      plan_id: plan.id,
      stored_card_id: card,
    }
  }

  for (const { operation, pointer, path } of withBody)
    test(operation.operationId, async () => {
      for (const body of examplesOf(pointer)) {
        const ids = await made()
        const named = Object.keys(body).filter((name) => name in ids)
        // The examples contain ids of the shop in the contract, and a hash for its order.
        const {
          hash: _hash,
          payment_ref,
          ...rest
        } = { ...body, ...Object.fromEntries(named.map((name) => [name, ids[name]])) } as Record<
          string,
          unknown
        >
        const sent =
          payment_ref === undefined ? rest : { ...rest, payment_ref: `${payment_ref}-${++orders}` }
        const call = client[operation.operationId as keyof Client] as (
          ...args: unknown[]
        ) => Promise<unknown>
        const args = path.includes('{') ? [ids[operation.operationId], sent] : [sent]
        expect(args[0]).toBeTruthy()
        await expect(call(...args)).resolves.toBeDefined()
      }
    })

  test('these tests use every call of the contract', () => {
    expect(Object.keys(CALLS)).toEqual(calls.map(({ operation }) => operation.operationId))
  })
})

test('objects are created, read, listed, changed, captured and refunded', async () => {
  const { id } = await client.createTransaction(
    order({ authorize: true, metadata: { basket: { size: 2 } } }),
  )
  expect(await client.getTransaction(id)).toMatchObject({
    status: 'authorized',
    metadata: { basket: { size: 2 } },
  })
  expect(
    await client.updateTransaction(id, { process: false, metadata: { colour: 'blue' } }),
  ).toMatchObject({ metadata: { basket: { size: 2 }, colour: 'blue' } })
  expect(await client.captureTransaction(id, { amount: '9.00' })).toMatchObject({
    status: 'approved',
    amount: '9.00',
  })
  const refund = await client.createRefund({
    transaction_id: id,
    amount: '1.00',
    reason: 'Broken cup',
  })
  expect(await client.getRefund(refund.id, { extend: 'transaction' })).toMatchObject({
    transaction: { id },
  })
  const page = await client.listTransactions({ filter: { id: String(id) } }).page()
  expect(page).toMatchObject({ total: 1, items: [{ id, refunds: [{ amount: '1.00' }] }] })
})

test('calls without parameters accept only options, and return pages and scripts as text', async () => {
  expect(await client.getHealth({ timeout: 10_000 })).toMatchObject({ status: 'ok' })
  const { href } = await client.createTransaction({
    ...order({ process: false, card_number: undefined }),
    ...URLS,
  })
  expect((await client.showPaymentPage(href.slice(-22), { lang: 'en' })).body).toMatch(
    /^<!doctype html>/,
  )
  const { status, location } = await client.submitForm({ ...order(), ...URLS })
  expect([status, location]).toEqual([
    303,
    expect.stringMatching(/^https:\/\/shop\.example\/thanks\?/),
  ])
})

describe('a list', () => {
  test('is read page by page, without items that are created meanwhile', async () => {
    const made: number[] = []
    for (let count = 0; count < 7; count += 1) made.push((await client.createCustomer({})).id)
    const seen: number[] = []
    for await (const { id } of client.listCustomers({ limit: 3 })) {
      if (seen.length === 1) await client.createCustomer({})
      seen.push(id)
    }
    expect(seen.slice(0, 7)).toEqual(made.toReversed())
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('a list in another order continues with offset', async () => {
    const all = await client.listCustomers({ limit: 2, order_by: 'id:asc' }).all()
    expect(all.map(({ id }) => id)).toEqual(
      [...all.map(({ id }) => id)].sort((one, other) => one - other),
    )
    expect((await client.listCustomers({ limit: 2 }).page()).total).toBe(all.length)
  })
})

test.each([
  ['of the bank', () => client.createTransaction(order({ card_cvv: '201' })), PaymentError, 129],
  ['of a hash', () => clientOf({ secret: 'another' }).createTransaction(order()), LoginError, 107],
  ['of a password', () => clientOf({ password: 'another' }).listPlans().page(), LoginError, 182],
  ['of an unknown object', () => client.getTransaction(999_999), NotFoundError, 128],
  [
    'of a card',
    () => client.createTransaction(order({ card_number: '4111111111111112' })),
    RefusedError,
    119,
  ],
])('a rejected call %s is an error with its explanation', async (_what, call, type, code) => {
  const error: unknown = await call().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(type)
  expect(error).toMatchObject({
    code,
    explanation: expect.any(String),
    requestId: expect.any(String),
  })
  expect((error as RefusedError).message).toContain((error as RefusedError).explanation)
})

describe('a call without an answer', () => {
  const failing = (times: number, fail: (request: Request) => Promise<Response>) => {
    const seen: Request[] = []
    const fetch = async (request: Request) => {
      seen.push(request.clone())
      return seen.length <= times ? fail(request) : held(request)
    }
    return { fetch, seen }
  }
  const broken = async (request: Request): Promise<Response> => {
    await held(request)
    throw new TypeError('fetch failed', { cause: new Error('read ECONNRESET') })
  }
  const unavailable = async () =>
    Response.json(
      { name: 'errors.service.unavailable', code: 243, description: 'Wait' },
      { status: 503 },
    )

  test('is repeated when it only reads', async () => {
    const { fetch, seen } = failing(2, broken)
    await clientOf({ fetch }).listPlans().page()
    expect(seen.length).toBe(3)
  })

  test('is repeated when it deletes in the control API', async () => {
    const seen: string[] = []
    const control = createControl({
      url: 'http://gateway',
      controlKey: 'key',
      async fetch({ method, url }) {
        if (seen.push(`${method} ${url}`) > 1) return Response.json({})
        throw new TypeError('fetch failed', { cause: new Error('read ECONNRESET') })
      },
    })
    await withOperations(control).payments.unforce()
    expect(seen).toEqual(Array(2).fill('DELETE http://gateway/_control/payments/next'))
  })

  test('is repeated when it creates a transaction, which is paid once', async () => {
    const { fetch, seen } = failing(1, broken)
    const paid = await clientOf({ fetch }).createTransaction(order())
    expect([paid.status, seen.length]).toEqual(['approved', 2])
    const { total } = await client
      .listTransactions({ filter: { payment_ref: paid.payment_ref } })
      .page()
    expect(total).toBe(1)
  })

  test('is not repeated if a repetition could have a second effect', async () => {
    const { fetch, seen } = failing(1, broken)
    const { id } = await client.createTransaction(order())
    await expect(
      clientOf({ fetch }).createRefund({ transaction_id: id, amount: '1.00', reason: 'x' }),
    ).rejects.toThrow(NoAnswerError)
    expect(seen.length).toBe(1)
    expect((await client.getTransaction(id)).refunds.length).toBe(1)
  })

  test('is always repeated if the request certainly did not arrive', async () => {
    const refused = Object.assign(new Error('nobody'), { code: 'ECONNREFUSED' })
    const { fetch, seen } = failing(1, async () => {
      throw new TypeError('fetch failed', { cause: refused })
    })
    await clientOf({ fetch }).createCustomer({})
    expect(seen.length).toBe(2)
  })

  test('is repeated while the gateway is unavailable, and finally fails with this reason', async () => {
    const { fetch, seen } = failing(9, unavailable)
    await expect(clientOf({ fetch, retries: 1 }).getHealth()).rejects.toThrow(UnavailableError)
    expect(seen.length).toBe(2)
  })

  test('ends after its time limit, or when its caller aborts it', async () => {
    const { url, close } = await serve(() => {})
    const late = createClient({ url, merchantId: 1, password: 'hush-hush', timeout: 20 })
    await expect(late.getHealth()).rejects.toThrow(TimeoutError)
    await expect(
      late.getHealth({ timeout: 5000, signal: AbortSignal.timeout(20) }),
    ).rejects.toThrow('aborted by its caller')
    await close()
  })

  test('fails with a clear message if the server is not the gateway', async () => {
    const fetch = async () => new Response('<h1>Bad gateway</h1>', { status: 502 })
    await expect(clientOf({ fetch, retries: 0 }).getHealth()).rejects.toThrow(
      'The answer is not from the gateway: status 502',
    )
  })
})

test('a client distinguishes the mock from the real service', async () => {
  expect(await client.isMock()).toBe(true)
  expect(await clientOf({ fetch: async () => new Response('{}') }).isMock()).toBe(false)
})
