/** The payers of the shop. A real shop has accounts with a login; a cookie is enough here. */
import { randomUUID } from 'node:crypto'
import type { Request, Response } from 'express'
import { createPayment } from '../shared/cart.ts'
import { newReference, type Payment } from '../shared/payment.ts'
import type { Language } from '../shared/texts.ts'
import type { StoredCard } from './stored-cards.ts'

export interface Order {
  readonly payment: Payment
  state: 'open' | 'paid'
}

export interface Payer {
  /** The shop's name for the payer, sent with every payment. */
  readonly customerRef: string
  readonly orders: Map<string, Order>
  language: Language
  /** The card that the payer let the shop keep. */
  card?: StoredCard | undefined
  /** Said on the next page, once. */
  notice?: { readonly kind: 'good' | 'bad'; readonly text: string } | undefined
}

/** Finds the payer of a request, or welcomes a new one. */
export function createPayers(): (request: Request, response: Response) => Payer {
  const payers = new Map<string, Payer>() // a real shop keeps them in its database
  return (request, response) => {
    const session = /(?:^|; )shop_session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    const payer = payers.get(session) ?? welcome(request, response, payers)
    const { lang } = request.query
    if (lang === 'en' || lang === 'sv') payer.language = lang
    return payer
  }
}

function welcome(request: Request, response: Response, payers: Map<string, Payer>): Payer {
  const language = request.acceptsLanguages('en', 'sv') === 'sv' ? 'sv' : 'en'
  const payer: Payer = { customerRef: newReference(), orders: new Map(), language }
  const session = randomUUID()
  payers.set(session, payer)
  // On a real shop's https the cookie is also `secure`.
  response.cookie('shop_session', session, { httpOnly: true, sameSite: 'lax' })
  return payer
}

/**
 * The order that the payer has begun, or a new one: as long as it is open, nothing can be paid
 * twice.
 */
export function openOrder({ customerRef, orders }: Payer): Order {
  const begun = [...orders.values()].find(({ state }) => state === 'open')
  if (begun) return begun
  const order: Order = { payment: createPayment(customerRef), state: 'open' }
  orders.set(order.payment.payment_ref, order)
  return order
}
