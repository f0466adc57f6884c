import { createHash } from 'node:crypto'
import type { Refund, StoredCard, Webhook } from '../../../mock-gateway/contract/wire.ts'
import { type Client, type Fields, payment, prepared, URLS } from '../../helpers/gateway.ts'
import { newPlan, newSubscription } from '../subscriptions/new-subscription.ts'

/** Addresses of lists, each with the name of its rows. */
export const LISTS = {
  transaction: '/v1/transactions',
  stored_card: '/v1/stored_cards',
  customer: '/v1/customers',
  refund: '/v1/refunds',
  plan: '/v1/plans',
  subscription: '/v1/subscriptions',
  webhook: '/v1/webhooks',
} as const

export type Kind = keyof typeof LISTS
export const KINDS = Object.keys(LISTS) as readonly Kind[]

/** Every name that `extend` accepts. */
export const EXTEND = 'customer,stored_card,subscription,plan,transaction,refunds,payment_details'

/** Data of a merchant: at least one row of every kind. */
export interface TestData {
  /** Ids of transactions by their possible next action. */
  readonly approved: number
  readonly authorized: number
  readonly pending: number
  readonly payment_ref: string
  readonly attempt: string
  readonly href_token: string
  /** Nonce of a 3-D Secure authentication. */
  readonly nonce: string
  readonly customer: number
  readonly customer_ref: string
  readonly stored_card: number
  readonly token: string
  readonly refund: number
  readonly plan: number
  readonly subscription: number
  readonly webhook: number
  readonly url: string
}

let dataSets = 0

/** Creates one row of every kind, and transactions to pay, capture and refund. */
export async function createTestData(shop: Client): Promise<TestData> {
  const name = `test-data-${++dataSets}`
  const url = `https://${name}.example/hook`
  const create = async (fields: Fields) => {
    const { status, body, headers } = await shop.post('/v1/transactions', fields)
    if (status !== 200) throw new Error(`${status} ${body.name}: ${headers.get('mondido-explain')}`)
    return body
  }
  const subscription = await newSubscription(shop)
  const { id: plan } = await newPlan(shop)
  const approved = await create(
    payment({
      payment_ref: name,
      customer_ref: name,
      store_card: true,
      mondido_attempt: `attempt-of-${name}`.padEnd(20, '-'),
      webhook: `{"trigger":"payment","url":"${url}"}`,
    }),
  )
  const authorized = await create(payment({ authorize: true }))
  const pending = await create(prepared())
  const nonce = createHash('md5').update(name).digest('hex')
  await shop.post('/v1/mpi_js', payment({ mpi_nonce: nonce }))
  const customer = approved.customer?.id ?? 0
  const cards = await shop.get<StoredCard[]>(`/v1/customers/${customer}/stored_cards`)
  const { body: refund } = await shop.post<Refund>('/v1/refunds', {
    transaction_id: approved.id,
    amount: '1.00',
    reason: name,
  })
  const webhooks = await shop.get<Webhook[]>('/v1/webhooks', { 'filter[url]': url })
  return {
    approved: approved.id,
    authorized: authorized.id,
    pending: pending.id,
    payment_ref: name,
    attempt: `attempt-of-${name}`.padEnd(20, '-'),
    href_token: pending.href.split('/').at(-1) ?? '',
    nonce,
    customer,
    customer_ref: name,
    stored_card: cards.body[0]?.id ?? 0,
    token: cards.body[0]?.token ?? '',
    refund: refund.id,
    plan,
    subscription: subscription.id,
    webhook: webhooks.body[0]?.id ?? 0,
    url,
  }
}

/** Challenge types of the test data. */
const QUESTIONS = ['code', 'app'] as const
const ASKED_CARD = '4000000000001091'

/** Payers with an open challenge: the last part of their bank's address, by the part before it. */
export interface AtBank {
  readonly acs: readonly string[]
  readonly payment: readonly string[]
}

/** Leads one payer to each challenge type of the bank. */
export async function newPayersAtBank(shop: Client, merchant_id: number): Promise<AtBank> {
  const locationOf = ({ headers }: { readonly headers: Headers }) =>
    new URL(headers.get('location') ?? '').pathname
  const lastOf = (path: string) => path.split('/').at(-1) ?? ''
  const [acs, pay]: [string[], string[]] = [[], []]
  for (const question of QUESTIONS) {
    const metadata = JSON.stringify({ service_instructions: { three_d_secure: { question } } })
    const payment_ref = `at-bank-${++dataSets}`
    const fields = payment({ merchant_id, payment_ref, ...URLS, metadata, card_number: ASKED_CARD })
    const onward = locationOf(await shop.post('/v1/form', fields))
    pay.push(lastOf(onward))
    acs.push(lastOf(locationOf(await shop.get(onward))))
  }
  return { acs, payment: pay }
}

/** Rows by their kind. */
export type Rows = Readonly<Record<string, readonly { readonly id: number }[]>>

/** Reads every row that a merchant sees, with all its fields. */
export async function everythingOf(shop: Client): Promise<Rows> {
  const lists = KINDS.map(async (kind) => {
    const { body } = await shop.get<{ id: number }[]>(LISTS[kind], { limit: 1000 })
    return [kind, body] as const
  })
  return Object.fromEntries(await Promise.all(lists))
}
