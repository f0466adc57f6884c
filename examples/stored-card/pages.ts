/** The pages of the shop: what they show follows from the payer and the order. */
import { renderPage, type Values } from '../shared/page.ts'
import { type Merchant, signPayment } from '../shared/payment.ts'
import { TEXTS as SHARED } from '../shared/texts.ts'
import type { Order, Payer } from './payers.ts'
import type { StoredCard } from './stored-cards.ts'
import { TEXTS } from './texts.ts'

const template = (name: string) => new URL(`pages/${name}.html`, import.meta.url)

/**
 * Renders the checkout: one click for a payer with a stored card, and a form for a new card. Shows
 * the payer's notice once.
 */
export function checkoutPage(
  payer: Payer,
  order: Order,
  merchant: Merchant,
  cdn: string,
): Promise<string> {
  const { card, language, notice } = payer
  payer.notice = undefined
  const main = template(card ? 'stored-card' : 'new-card')
  const values: Values = {
    ...TEXTS[language],
    ...(notice && { title: `${notice.text} ${SHARED[language].title}` }),
    ...signPayment(order.payment, merchant),
    ...(card ? { cardName: getName(card, payer), cardExpires: getMonth(card) } : {}),
    cdn,
    notice: notice?.text ?? '',
    noticeKind: notice?.kind ?? '',
  }
  return renderPage(language, { cardForm: template('card-form'), main }, values)
}

/** Renders the receipt of a paid order. */
export function receiptPage(payer: Payer, { payment }: Order): Promise<string> {
  const texts = TEXTS[payer.language]
  const kept = payer.card
    ? `${texts.keptCard} ${getName(payer.card, payer)} ${texts.keptCardWay}`
    : ''
  const { payment_ref } = payment
  return renderPage(payer.language, { main: template('receipt') }, { ...texts, payment_ref, kept })
}

/** A stored card as one may show it: brand and last four digits. */
const getName = ({ card_type, card_number }: StoredCard, { language }: Payer): string =>
  `${card_type} ${TEXTS[language].endingIn} ${card_number.slice(-4)}`

/** MM/YY */
const getMonth = ({ expires }: StoredCard): string =>
  `${expires.slice(5, 7)}/${expires.slice(2, 4)}`
