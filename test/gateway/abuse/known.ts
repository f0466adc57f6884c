import { authorizationOf, MERCHANT, type TestMerchant } from '../../helpers/gateway.ts'
import { OTHER_PRIVATE_KEY } from '../../helpers/keys.ts'
import type { Known, Request } from './fuzz-requests.ts'
import type { AtBank, TestData } from './test-data.ts'

/** Second merchant of the gateways that get drawn requests. */
export const RIVAL: TestMerchant = {
  id: 2,
  password: 'other password',
  secret: 'other secret',
  private_key: OTHER_PRIVATE_KEY,
}

/** Header `Authorization` of each login of a drawn request. */
export const LOGINS: Readonly<Record<Request['login'], string | undefined>> = {
  own: authorizationOf(MERCHANT),
  other: authorizationOf(RIVAL),
  broken: 'Basic \u00ff:',
  none: undefined,
  key: undefined,
}

/** Returns the objects that requests can name, including some rows of the other merchant. */
export function knownOf(own: TestData, other: TestData, style: string, bank: AtBank): Known {
  const both = (name: keyof TestData) => [own[name], other[name]].map(String)
  return {
    values: {
      transaction_id: [own.approved, own.authorized],
      customer_id: [own.customer],
      stored_card_id: [own.stored_card],
      plan_id: [own.plan],
      customer_ref: [own.customer_ref],
      merchant_id: [MERCHANT.id],
      success_url: ['https://shop.example/thanks'],
      error_url: ['https://shop.example/sorry'],
    },
    ids: {
      transactions: [...both('approved'), ...both('authorized'), ...both('pending')],
      refunds: both('refund'),
      stored_cards: both('stored_card'),
      stored_card: both('stored_card'),
      customers: both('customer'),
      plans: both('plan'),
      subscriptions: both('subscription'),
      subscription: both('subscription'),
      webhooks: both('webhook'),
      attempts: both('attempt'),
      form: both('href_token'),
      mpi_js: both('nonce'),
      ...bank,
      assets: [style.replace('/assets/', '')],
    },
  }
}
