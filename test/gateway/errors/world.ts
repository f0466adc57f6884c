import type { Plan, StoredCard, Subscription } from '../../../mock-gateway/contract/wire.ts'
import {
  type Answer,
  CARD,
  type Client,
  createMerchant,
  type Fields,
  MERCHANT,
  payment,
  prepared,
  startGateway,
  TEMPLATES,
  type TestGateway,
  type TransactionOrError,
} from '../../helpers/gateway.ts'

/** Merchant that accepts only test cards and no invoices, and allows a payer one attempt. */
const STRICT = createMerchant(2, { live_cards: 'refuse', invoice: false, page_tries: 1 })

/** Valid card number that is not a test card. */
export const LIVE_NUMBER = '4539148803436467'

/** Client with helpers that cause errors. Every call requests the same language. */
export interface World extends Client {
  readonly strict: Client
  /** Client without a login. */
  readonly stranger: Client
  /** Creates a card payment. */
  pay(over?: Fields): Promise<Answer<TransactionOrError>>
  /** Prepares a transaction. */
  prepare(over?: Fields): Promise<Answer<TransactionOrError>>
  /** Pays, and returns the id of the transaction, which is approved or authorized. */
  paidId(over?: Fields): Promise<number>
  preparedId(over?: Fields): Promise<number>
  storedCard(over?: Fields): Promise<StoredCard>
  plan(over?: Fields): Promise<Plan>
  subscription(over?: Fields): Promise<Subscription>
  /** Creates a transaction with a raw body, in JSON or any other format. */
  raw(body: string, type?: string): Promise<Answer<TransactionOrError>>
}

export const startErrorGateway = (): Promise<TestGateway> =>
  startGateway({ merchants: [MERCHANT, STRICT], templates: TEMPLATES })

/**
 * Creates the client.
 * @param locale language in the query, where the gateway finds it even if the login fails
 */
export function worldOf(shop: TestGateway, locale: string): World {
  const client = speaking(shop, locale)
  const pay = (over?: Fields) => client.post('/v1/transactions', payment(over))
  const prepare = (over?: Fields) => client.post('/v1/transactions', prepared(over))
  const plan = async (over: Fields = {}) => {
    const terms = {
      name: 'Monthly',
      interval: 1,
      interval_unit: 'months',
      prices: '{"sek":"10.00"}',
    }
    return (await client.post<Plan>('/v1/plans', { ...terms, ...over })).body
  }
  const storedCard = async (over: Fields = {}) =>
    (
      await client.post<StoredCard>('/v1/stored_cards', {
        ...CARD,
        card_type: 'VISA',
        currency: 'sek',
        test: true,
        ...over,
      })
    ).body
  return {
    ...client,
    strict: speaking(shop.as(STRICT), locale),
    stranger: speaking(shop.browser, locale),
    pay,
    prepare,
    plan,
    storedCard,
    paidId: async (over) => (await pay(over)).body.id,
    preparedId: async (over) => (await prepare(over)).body.id,
    async subscription(over = {}) {
      const [{ id: plan_id }, { id: stored_card_id }] = [await plan(), await storedCard()]
      return (
        await client.post<Subscription>('/v1/subscriptions', { plan_id, stored_card_id, ...over })
      ).body
    },
    raw: (body, type = 'application/x-www-form-urlencoded') =>
      client.send('POST', '/v1/transactions', body, { 'content-type': type }),
  }
}

function speaking(client: Client, locale: string): Client {
  const spoken = (path: string) => `${path}${path.includes('?') ? '&' : '?'}locale=${locale}`
  return {
    get: (path, fields, headers) => client.get(path, { ...fields, locale }, headers),
    post: (path, fields, headers) => client.post(spoken(path), fields, headers),
    put: (path, fields, headers) => client.put(spoken(path), fields, headers),
    submit: (path, fields, headers) => client.submit(spoken(path), fields, headers),
    send: (method, path, body, headers) => client.send(method, spoken(path), body, headers),
  }
}
