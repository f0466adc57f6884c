import { newReference, type Payment } from './payment.ts'

/**
 * The contents of the cart. A real shop reads them from its own database; the page never decides a
 * price.
 */
export const CURRENCY = 'SEK'

/** One row of the cart; `price` of one piece in hundredths, VAT included. */
export const CART = [
  { name: { en: 'Morning roast, 500 g', sv: 'Morgonrost, 500 g' }, quantity: 2, price: 8_900 },
  { name: { en: 'Paper filters, 100', sv: 'Pappersfilter, 100 st' }, quantity: 1, price: 3_900 },
  { name: { en: 'Delivery to your door', sv: 'Leverans till dörren' }, quantity: 1, price: 2_900 },
] as const

/** Price of the whole cart, in hundredths. */
export const total = (): number =>
  CART.reduce((sum, { quantity, price }) => sum + quantity * price, 0)

/** Creates the payment of the cart. @param customer_ref the shop's own name for the payer */
export const createPayment = (customer_ref?: string): Payment => ({
  payment_ref: newReference(),
  amount: (total() / 100).toFixed(2),
  currency: CURRENCY,
  test: true,
  ...(customer_ref && { customer_ref }),
})
