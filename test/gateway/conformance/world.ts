import type {
  Customer,
  Plan,
  Refund,
  StoredCard,
  Transaction,
  Webhook,
} from '../../../mock-gateway/contract/wire.ts'
import type { RuleInput } from '../../../mock-gateway/domain/rules/rules.ts'
import {
  type Answer,
  CARD,
  createMerchant,
  type Fields,
  MERCHANT,
  payment,
  prepared,
  startGateway,
  TEMPLATES,
  type TestGateway,
  type TransactionOrError,
  URLS,
} from '../../helpers/gateway.ts'
import { builtPath, ensureBuild } from '../../sdk/helpers/build.ts'
import { type World as ErrorWorld, startErrorGateway, worldOf } from '../errors/world.ts'
import { newCard, newSubscription } from '../subscriptions/new-subscription.ts'

/** Merchant whose login is locked by wrong passwords. */
export const LOCKED = { id: 8, password: 'soon locked', secret: 's8' }
const FRAMED_BY_NOBODY = { ...MERCHANT, settings: { frame_parents: [] } }

/**
 * Second merchant: without data, without 3-D Secure, and with a payment page that a shop can frame.
 */
export const NEIGHBOUR = createMerchant(9, {
  frame_parents: ['https://shop.example'],
  three_d_secure: 'off' as const,
})

/** Merchant whose clock is moved. */
/** Merchant with rules and a fraud check. */
export const CAREFUL = createMerchant(11, {
  rules: [{ name: 'large', when: { amount_from: '10.00' }, action: 'decline' } satisfies RuleInput],
  fraud_limit: 100,
})

export const LASTING = { id: 10, password: 'for a long time', secret: 's10' }

/** Gateway with objects of every kind. */
export interface World extends TestGateway {
  /** Approved transaction with every value that a card payment can have. */
  readonly paid: Transaction
  /** Transaction that was paid with the token of a stored card. */
  readonly paidByToken: Transaction
  readonly pending: Transaction
  readonly declined: Transaction
  readonly failed: Transaction
  readonly authorized: Transaction
  readonly captured: Transaction
  readonly storedCard: StoredCard
  readonly httpWebhook: Webhook
  readonly emailWebhook: Webhook
  readonly plan: Plan
  readonly customer: Customer
  readonly refund: Refund
  /** Merchant for requests that are rejected. */
  readonly errors: ErrorWorld
  create(fields: Fields): Promise<Answer<TransactionOrError>>
  pay(over?: Fields): Promise<Answer<TransactionOrError>>
  prepare(over?: Fields): Promise<Answer<TransactionOrError>>
  /** Starts a subscription with a card of this expiry, and makes its first charge. */
  recur(card_expiry: string): Promise<TransactionOrError>
}

export const ITEMS = [
  { artno: 'C-1', description: 'Cup', amount: 8, qty: '2', vat: '25', discount: '0' },
  { artno: 'S-1', description: 'Saucer', amount: 2, qty: '1', vat: '12' },
]

export const PAYER = {
  first_name: 'Kim',
  last_name: 'Berg',
  email: 'kim@example.org',
  country_code: 'SWE',
}

const WEBHOOKS = [
  {
    trigger: 'payment',
    url: 'https://shop.example/hook',
    http_method: 'post',
    data_format: 'json',
  },
  { trigger: 'payment_success', email: 'orders@shop.example' },
]

export async function startWorld(): Promise<World> {
  ensureBuild()
  const library = builtPath('mondido.min.js')
  const shop = await startGateway({
    merchants: [FRAMED_BY_NOBODY, LOCKED, NEIGHBOUR, LASTING, CAREFUL],
    library,
    templates: TEMPLATES,
  })
  const create = (fields: Fields) => shop.post('/v1/transactions', fields)
  const pay = (over?: Fields) => create(payment(over))
  const prepare = (over?: Fields) => create(prepared(over))
  const get = async <Body>(path: string) => (await shop.get<Body>(path)).body

  const terms = { name: 'Monthly', interval: 1, interval_unit: 'months', prices: '{"sek":"10.00"}' }
  const plan = (await shop.post<Plan>('/v1/plans', terms)).body
  const paid = (
    await pay({
      vat_amount: '2.00',
      customer_ref: 'c42',
      store_card: true,
      plan_id: plan.id,
      template_id: 3,
      metadata: '{"order":{"id":5}}',
      items: JSON.stringify(ITEMS),
      payment_details: JSON.stringify(PAYER),
      webhook: JSON.stringify(WEBHOOKS),
      ...URLS,
    })
  ).body
  const storedCard = await get<StoredCard>(`/v1/stored_cards/${paid.stored_card?.id}`)
  const paidByToken = (await pay({ card_number: storedCard.token, card_type: 'STORED_CARD' })).body
  const pending = (await prepare()).body
  await pay({ card_cvv: '201' })
  const [declined] = await get<Transaction[]>('/v1/transactions?filter[status]=declined')
  await pay({ 'metadata[service_instructions][fail_as_code]': 'errors.payment.failed' })
  const [failed] = await get<Transaction[]>('/v1/transactions?filter[status]=failed')
  const authorized = (await pay({ authorize: true })).body
  const { id } = (await pay({ authorize: true })).body
  const captured = (await shop.put(`/v1/transactions/${id}/capture`, { amount: '4.00' })).body
  const refunding = { transaction_id: captured.id, amount: '1.00', reason: 'Broken' }
  const refund = (await shop.post<Refund>('/v1/refunds', refunding)).body
  const [httpWebhook, emailWebhook] = paid.webhooks
  if (!declined || !failed || !httpWebhook || !emailWebhook)
    throw new TypeError('The world is not complete')
  const recur = async (card_expiry: string) => {
    const lasting = shop.as(LASTING)
    const { id } = await newSubscription(lasting, {
      stored_card_id: (await newCard(lasting, { card_expiry })).id,
    })
    await shop.gateway.clock.advance({ days: 1 }, { merchant: LASTING.id })
    const { body } = await lasting.get<TransactionOrError[]>(`/v1/subscription/${id}/transactions`)
    return body[0] as TransactionOrError
  }
  const errorGateway = await startErrorGateway()
  return {
    ...shop,
    async close() {
      await Promise.all([shop.close(), errorGateway.close()])
    },
    errors: worldOf(errorGateway, 'en'),
    create,
    pay,
    prepare,
    recur,
    plan,
    paid,
    paidByToken,
    pending,
    declined,
    failed,
    authorized,
    captured: await get<Transaction>(`/v1/transactions/${captured.id}`),
    refund,
    storedCard: await get<StoredCard>(`/v1/stored_cards/${storedCard.id}`),
    customer: await get<Customer>(`/v1/customers/${paid.customer?.id}`),
    httpWebhook,
    emailWebhook,
  }
}

/** Complete card for calls that store a card. */
export const STORABLE = { ...CARD, card_type: 'VISA', currency: 'sek', test: true } as const

/** Returns the form that a payer's browser posts. */
export const posted = (over: Fields = {}): Fields =>
  payment({ merchant_id: MERCHANT.id, ...URLS, ...over })
