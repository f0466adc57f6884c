/**
 * A small shop that takes card payments with the browser library in `ajax` mode. The card goes from
 * the payer's browser to the payment service; this server only says what is to be paid, and
 * believes nothing before it has asked itself.
 */
import express, { type Express, type Request } from 'express'
import { createPayment } from '../shared/cart.ts'
import { getLanguage, renderPage } from '../shared/page.ts'
import { type Payment, pays, requestHash, type Transaction } from '../shared/payment.ts'
import {
  addWebhookHandler,
  createShopApp,
  createStarter,
  getWebhooks,
  requireOrder,
  type ShopOptions,
  sendProblem,
} from '../shared/server.ts'
import { findPayment, getCaller } from '../shared/service.ts'
import { createTexts } from '../shared/texts.ts'

/** The texts of this shop; `shared/texts.ts` has the texts of every shop. */
const TEXTS = createTexts({
  unknown: [
    'We do not know yet whether the payment went through. Do not pay again: reload this page in a moment.',
    'Vi vet inte ännu om betalningen gick igenom. Betala inte igen: ladda om sidan om en stund.',
  ],
  testText: [
    'No money moves. Fill in card 4111\u00a01111\u00a01111\u00a01111 with the security code for a result:',
    'Inga pengar flyttas. Fyll i kort 4111\u00a01111\u00a01111\u00a01111 med säkerhetskoden för ett utfall:',
  ],
  cvvApproved: ['Approved', 'Godkänd'],
  cvvDeclined: ['Declined', 'Nekad'],
  cvvInvalid: ['Wrong security code', 'Fel säkerhetskod'],
  cvvExpired: ['Card expired', 'Utgånget kort'],
})

interface Order {
  readonly payment: Payment
  state: 'open' | 'paid'
}

function createShop({ gateway, merchant }: ShopOptions): Express {
  const call = getCaller(gateway.base, merchant)
  const orders = new Map<string, Order>() // a real shop keeps them in its database

  /**
   * Everything that the page may know about an order: the form's fields, and whether it is paid.
   */
  const show = (request: Request, { payment, state }: Order) => ({
    ...payment,
    webhook: getWebhooks(request),
    merchant_id: merchant.id,
    hash: requestHash(payment, merchant),
    state,
  })

  /**
   * Marks the order as paid when the payment service itself knows an approved transaction for it.
   */
  async function settle(order: Order): Promise<void> {
    if (order.state === 'open' && (await findPayment(call, order.payment, merchant)))
      order.state = 'paid'
  }

  const shop = createShopApp(gateway, new URL('public/', import.meta.url))

  shop.get('/', async (request, response) => {
    const language = getLanguage(request)
    const values = { ...TEXTS[language], merchantId: String(merchant.id), cdn: gateway.cdn }
    const page = await renderPage(language, { main: new URL('page.html', import.meta.url) }, values)
    response.vary('Accept-Language').type('html').send(page)
  })

  shop.post('/orders', (request, response) => {
    const order: Order = { payment: createPayment(), state: 'open' }
    orders.set(order.payment.payment_ref, order)
    response.json(show(request, order))
  })

  const find = (ref: string) => orders.get(ref)
  requireOrder(shop, find)

  // The answer to the browser may have been lost: as long as the order is open, ask whether it was
  // paid after all.
  shop.get('/orders/:ref', async (request, response) => {
    const order: Order = response.locals.order
    await settle(order)
    response.json(show(request, order))
  })

  // The page reports the result that its browser received. This handler checks that it is genuine,
  // and asks the service whether it is true.
  shop.post('/orders/:ref/result', express.json(), async (request, response) => {
    const order: Order = response.locals.order
    const transaction: Transaction = request.body ?? {}
    if (!pays(transaction, order.payment, merchant))
      return void response.status(400).json({ message: 'This is not the payment of this order.' })
    await settle(order)
    response.json(show(request, order))
  })

  // The webhook comes even if the payer closes the page.
  addWebhookHandler(shop, { find, settleWebhook: settle }, merchant)
  return shop.use(sendProblem)
}

/** Opens the shop on loopback. */
export const startShop = createStarter(createShop)
