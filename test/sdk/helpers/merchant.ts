import { requestHash } from '../../../mock-gateway/domain/order/hash.ts'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/merchants/seed.ts'
import { TEST_PRIVATE_KEY } from '../../helpers/keys.ts'

/** Merchant of every test. */
export const MERCHANT = {
  id: 1,
  password: DEFAULT_MERCHANT.password,
  secret: 'test-secret',
  private_key: TEST_PRIVATE_KEY,
}

/** Returns the hash of a payment, like the merchant's server. */
export function hashOf(payment: Readonly<Record<string, string>>): string {
  const {
    merchant_id = '',
    payment_ref = '',
    customer_ref = '',
    amount = '',
    currency = '',
    test,
  } = payment
  const parts = {
    merchantId: merchant_id,
    paymentRef: payment_ref,
    customerRef: customer_ref,
    amount,
    currency,
  }
  return requestHash({ ...parts, test: test === 'true' }, MERCHANT.secret)
}
