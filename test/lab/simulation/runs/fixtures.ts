import { amountOf, ask, type Order } from '../model/ledger.ts'
import type { Chance } from './chance.ts'
import { URLS } from './merchants.ts'
import { BEGINNING, MERCHANTS } from './plan.ts'

/** Statuses of payments in fixtures, with their weights. */
const STATUSES = { approved: 3, authorized: 2, pending: 1, declined: 1 }

const REFUSED = 'errors.payment.declined'

/**
 * Draws the payments that exist at the start of a run: as a file of fixtures, and as orders of
 * their shops.
 */
export function drawFixtures(chance: Chance, count: number) {
  const drawn = Array.from({ length: count }, (_, index) => draw(chance, `fixture-${index + 1}`))
  return {
    file: { transactions: drawn.map(({ row }) => row) },
    orders: drawn.map(({ order }) => order),
  }
}

function draw(chance: Chance, paymentRef: string) {
  const status = chance.weighed(STATUSES)
  const merchant = chance.pick(MERCHANTS)
  const amount = 100 + chance.below(5_000)
  const authorize = status === 'authorized' || chance.happens(0.3)
  const order: Order = { merchant, paymentRef, amount, authorize, asked: [], state: 'unknown' }
  const isPaid = status === 'approved' || status === 'authorized'
  ask(order, isPaid ? 'pay' : 'create', amount).result = 'yes'
  const refund = status === 'approved' && chance.happens(0.5) ? 1 + chance.below(amount) : 0
  if (refund > 0) ask(order, 'refund', refund).result = 'yes'
  const row = {
    merchant_id: merchant,
    payment_ref: paymentRef,
    amount: amountOf(amount),
    currency: 'sek',
    status,
    authorize,
    ...URLS,
    ...(status !== 'pending' && {
      card_holder: 'Anna Andersson',
      card_number: '411111******1111',
      card_expiry: '1230',
      card_type: 'visa',
      transaction_type: 'credit_card',
    }),
    ...(isPaid && {
      org_auth_amount: amountOf(amount),
      provider_ref: 'of-a-file',
      processed_at: new Date(BEGINNING).toISOString(),
      payment_response: { result: 'approved', auth_code: '123456', provider_ref: 'of-a-file' },
    }),
    ...(status === 'declined' && {
      error_name: REFUSED,
      status_details: REFUSED,
      payment_response: { result: 'declined', error: REFUSED },
    }),
    refunds: refund > 0 ? [{ amount: amountOf(refund), reason: 'sent back' }] : [],
  }
  return { row, order }
}
