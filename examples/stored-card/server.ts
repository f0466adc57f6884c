/**
 * A small shop that remembers a payer's card. The first payment goes from the payer's browser to
 * the payment service, with `store_card`; from then on this server pays with the token. It believes
 * no page: it asks the service itself.
 */
import type { ErrorRequestHandler, Express } from 'express'
import { problemPage } from '../shared/page.ts'
import { createShopApp, createStarter, type ShopOptions } from '../shared/server.ts'
import { findPayment, getCaller, Refused } from '../shared/service.ts'
import { TEXTS as SHARED } from '../shared/texts.ts'
import { checkoutPage, receiptPage } from './pages.ts'
import { createPayers, type Order, openOrder, type Payer } from './payers.ts'
import {
  type CardTransaction,
  payWithStoredCard,
  readStoredCard,
  removeStoredCard,
} from './stored-cards.ts'
import { TEXTS } from './texts.ts'

function createShop({ gateway, merchant }: ShopOptions): Express {
  const call = getCaller(gateway.base, merchant)
  const findPayer = createPayers()

  /**
   * Marks the order as paid when the payment service knows an approved transaction for it, and
   * keeps the card of it.
   */
  async function settle(payer: Payer, order: Order): Promise<void> {
    if (order.state === 'paid') return
    const transaction = await findPayment<CardTransaction>(call, order.payment, merchant)
    if (!transaction) return
    if (transaction.stored_card) await keepCard(payer, transaction.stored_card.id)
    order.state = 'paid'
  }

  /** Stores one card for each payer: a new card replaces the old one. */
  async function keepCard(payer: Payer, id: number): Promise<void> {
    // Read before the call: a page that is loaded twice must not remove the new card.
    const before = payer.card
    if (before?.id === id) return
    const stored = await readStoredCard(call, id)
    if (stored.status !== 'active') return
    if (before) await removeStoredCard(call, before)
    payer.card = stored
  }

  const shop = createShopApp(gateway, new URL('public/', import.meta.url))

  shop.use((request, response, next) => {
    const { origin, host } = request.headers
    response.locals.payer = findPayer(request, response)
    if (request.method === 'GET' || origin === undefined || URL.parse(origin)?.host === host) next()
    // A page of another origin must not press this payer's buttons.
    else response.sendStatus(403)
  })

  shop.get('/', async (_request, response) => {
    const payer: Payer = response.locals.payer
    await settle(payer, openOrder(payer)) // it may have been paid in another window
    response.type('html').send(await checkoutPage(payer, openOrder(payer), merchant, gateway.cdn))
  })

  shop.post('/card/remove', async (_request, response) => {
    const payer: Payer = response.locals.payer
    if (payer.card) await removeStoredCard(call, payer.card)
    payer.card = undefined
    payer.notice = { kind: 'good', text: TEXTS[payer.language].removed }
    response.redirect(303, '/')
  })

  shop.param('ref', (_request, response, next, ref: string) => {
    const payer: Payer = response.locals.payer
    response.locals.order = payer.orders.get(ref)
    if (response.locals.order) next()
    else response.redirect(303, '/')
  })

  // The only way to learn what became of an order, however it was paid.
  shop.get('/orders/:ref', async (_request, response) => {
    const payer: Payer = response.locals.payer
    const order: Order = response.locals.order
    await settle(payer, order)
    if (order.state === 'paid') {
      payer.notice = undefined
      return void response.type('html').send(await receiptPage(payer, order))
    }
    payer.notice ??= { kind: 'bad', text: SHARED[payer.language].notPaid }
    response.redirect(303, '/')
  })

  // Pressed twice, it pays once: of one payment_ref, the service takes one payment.
  shop.post('/orders/:ref/pay', async (_request, response) => {
    const payer: Payer = response.locals.payer
    const order: Order = response.locals.order
    if (order.state === 'open' && payer.card) {
      const paying = payWithStoredCard(call, order.payment, merchant, payer.card, payer.language)
      await paying.catch((error) => {
        if (!(error instanceof Refused)) throw error
        payer.notice = { kind: 'bad', text: error.message }
      })
    }
    response.redirect(303, `/orders/${order.payment.payment_ref}`)
  })

  const failed: ErrorRequestHandler = async (error, _request, response, _next) => {
    const { payer, order } = response.locals
    const back = order ? `/orders/${order.payment.payment_ref}` : '/'
    response.status(error.status ?? 502).type('html')
    response.send(await problemPage(payer.language, back, error.message))
  }
  return shop.use(failed)
}

/** Opens the shop on loopback. */
export const startShop = createStarter(createShop)
