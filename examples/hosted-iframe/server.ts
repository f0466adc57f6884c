/**
 * A small shop that shows the payment page in a frame. The page in the frame reports its height,
 * and the frame adapts. After the payment the frame contains a page of the shop, which moves the
 * whole window on. The merchant's setting `frame_parents` names this shop.
 */
import { readFile } from 'node:fs/promises'
import express, { type Express } from 'express'
import type { Order } from '../shared/orders.ts'
import { fill, getLanguage, renderPage } from '../shared/page.ts'
import { signPayment } from '../shared/payment.ts'
import {
  createOrderShop,
  createStarter,
  getWebhooks,
  type ShopOptions,
  showProblem,
} from '../shared/server.ts'
import { createTexts } from '../shared/texts.ts'

/** The texts of this shop; `shared/texts.ts` has the texts of every shop. */
const TEXTS = createTexts({
  explain: [
    'Pay on this page. The form comes from the payment service.',
    'Du betalar direkt här på sidan. Formuläret kommer från betaltjänsten.',
  ],
  goOn: ['Continue', 'Fortsätt'],
})

const template = (name: string) => new URL(`${name}.html`, import.meta.url)

function createShop(options: ShopOptions): Express {
  const { gateway, merchant } = options
  const hrefs = new Map<string, string>() // of each order; a real shop keeps them with it
  const { shop, orders, call } = createOrderShop(options, new URL('public/', import.meta.url))

  shop.get('/', async (request, response) => {
    const language = getLanguage(request)
    const page = await renderPage(language, { main: template('page') }, TEXTS[language])
    response.vary('Accept-Language').type('html').send(page)
  })

  shop.post('/orders', express.urlencoded(), async (request, response) => {
    const { payment, language } = orders.begin(request.body?.lang === 'sv' ? 'sv' : 'en')
    const path = `/orders/${payment.payment_ref}`
    const here = `${request.protocol}://${request.host}${path}`
    const { href } = await call<{ href: string }>('POST', '/v1/transactions', {
      ...signPayment(payment, merchant),
      process: 'false',
      success_url: `${here}/back`,
      error_url: `${here}/back`,
      locale: language,
      webhook: getWebhooks(request),
    })
    hrefs.set(payment.payment_ref, href)
    response.redirect(303, `${path}/pay`)
  })

  shop.get('/orders/:ref/pay', async (request, response) => {
    const { payment, language }: Order = response.locals.order
    const shown = request.query.lang === undefined ? language : getLanguage(request)
    const href = hrefs.get(payment.payment_ref) ?? ''
    const values = { ...TEXTS[shown], href, payOrigin: new URL(gateway.pay).origin }
    response.type('html').send(await renderPage(shown, { main: template('payment') }, values))
  })

  // success_url and error_url, inside the frame: settles the order, and leaves the frame.
  shop.get('/orders/:ref/back', async (request, response) => {
    const order: Order = response.locals.order
    await orders.settleReturned(order, request.query)
    const { error_name } = request.query
    const query =
      error_name === undefined ? '' : `?${new URLSearchParams({ error_name: String(error_name) })}`
    const values = { ...TEXTS[order.language], language: order.language }
    const address = `/orders/${order.payment.payment_ref}${query}`
    const policy = String(response.get('Content-Security-Policy'))
    response.set(
      'Content-Security-Policy',
      policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
    )
    response
      .type('html')
      .send(fill(await readFile(template('back'), 'utf8'), { ...values, address }))
  })

  return shop.use(showProblem)
}

/** Opens the shop on loopback. */
export const startShop = createStarter(createShop)
