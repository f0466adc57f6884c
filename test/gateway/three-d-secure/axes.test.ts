import { describe, expect, test } from 'vitest'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { cardOf, hiddenField, payerAt, queryOf } from './payer.ts'

const shop = await sharedGateway()

const REFUSED = {
  2: 'mpi.not_approved',
  5: 'mpi.not_approved',
  7: 'mpi.invalid',
  8: 'transaction.timeout',
  11: 'mpi.not_approved',
  13: 'mpi.invalid',
  14: 'transaction.timeout',
  15: 'payment.canceled',
  18: 'transaction.timeout',
  19: 'mpi.disabled',
} as Readonly<Record<number, string>>
const BY_CVV = {
  201: 'payment.declined',
  202: 'card_cvv.invalid',
  203: 'card.expired',
} as Readonly<Record<string, string>>
/**
 * Calculates the expected result independently. The card decides first, then the CVV, and never the
 * expiry.
 */
const oracle = (card: number, cvv: string) => REFUSED[card] ?? BY_CVV[cvv] ?? null

/** Pays, and types the correct code. If the payment does not end, waits until it expires. */
async function outcomeOf(fields: Record<string, string>) {
  const payer = payerAt(shop)
  let page = await payer.pay(fields)
  const bank = page.address
  if (page.html.includes('data-testid="bank-code"'))
    page = await payer.atBank(bank, { code: '1234' })
  page = await payer.waitForBank(page, 10)
  if (hiddenField(page.html, 'cres')) page = await payer.pressContinue(page.html)
  if (!page.address.startsWith('https://shop.example')) {
    shop.clock.advance(10 * 60_000)
    page = await payer.open(new URL(bank).pathname)
  }
  return queryOf(page.address).error_name?.replace('errors.', '') ?? null
}

describe.each(Array.from({ length: 20 }, (_, index) => index + 1))(
  'the 3-D Secure card of case %i',
  (card) => {
    test.each(['200', '201', '202', '203', '999'])(
      'has the documented result with CVV %s',
      async (card_cvv) => {
        expect(await outcomeOf({ card_number: cardOf(card), card_cvv })).toBe(
          oracle(card, card_cvv),
        )
      },
    )
  },
)

test.each(['200', '201', '202', '203', '999'])(
  'a plain card with CVV %s has no 3-D Secure data',
  async (card_cvv) => {
    expect(await outcomeOf({ card_number: '4111111111111111', card_cvv })).toBe(
      BY_CVV[card_cvv] ?? null,
    )
  },
)
