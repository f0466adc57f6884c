import { CheckError, NotCheckedError, ShopFault } from '../errors.ts'
import { CARDS, EXPIRY, HOLDER } from '../payer.ts'
import {
  type CardAnswer,
  type CardForm,
  type CardUse,
  isPaid,
  type Purchase,
  toPurchase,
} from '../purchase.ts'
import type { Stage } from '../stage.ts'

/** A purchase in a form of the shop that takes the card, with what the gateway had before it. */
export interface CardPurchase {
  readonly form: CardForm
  readonly lastTransaction: number
  readonly lastCard: number
}

async function startPurchase({ gateway }: Stage, form: CardForm): Promise<CardPurchase> {
  const [transactions, cards] = await Promise.all([
    gateway.api.listTransactions({ limit: 1 }).page(),
    gateway.api.listStoredCards({ limit: 1 }).page(),
  ])
  const [transaction] = transactions.items
  return { form, lastTransaction: transaction?.id ?? 0, lastCard: cards.items[0]?.id ?? 0 }
}

/** Lists the payments of a purchase, the oldest first. */
async function findPayments({ gateway, story }: Stage, { lastTransaction }: CardPurchase) {
  const { items } = await gateway.api.listTransactions({ limit: 20 }).page()
  const own = items.filter(({ id }) => id > lastTransaction).toReversed()
  return own.map((each) => story.remember(toPurchase(each)))
}

/** Opens the form, as the plan's `pay` says. */
export function openCardForm(stage: Stage): Promise<CardPurchase> {
  const { card: open } = stage.shop
  if (open)
    return stage.story.step('buy', 'The payer opens the form for the card.', async () =>
      startPurchase(stage, await open()),
    )
  throw new NotCheckedError(
    'The plan has no "pay". If your server takes the card, add: "pay": { "post": "/pay", "fields": { "number": "{card_number}", "expiry": "{card_expiry}", "cvv": "{card_cvv}", "basket": "{purchase}" } }',
  )
}

/** Opens the form for another purchase of the same payer. */
export const openAgain = async (stage: Stage, { form }: CardPurchase): Promise<CardPurchase> =>
  startPurchase(stage, await form.again())

/**
 * Presses Pay with a card. An answer that contradicts the bank, or none, is a mistake.
 * @returns the meaning of the answer; undefined for an error
 */
const pressBy =
  (card: 'approved' | 'declined', use: CardUse) =>
  (stage: Stage, purchase: CardPurchase): Promise<CardAnswer | undefined> =>
    stage.story.step(
      card === 'declined' ? 'press declined' : use === 'stored' ? 'press stored' : 'press',
      use === 'stored'
        ? 'The payer pays with the stored card.'
        : `The payer presses Pay${use === 'store' ? ' and stores the card' : ''}; the bank's answer is ${card}.`,
      async (note) => {
        const typed = { ...CARDS[card], card_holder: HOLDER, card_expiry: EXPIRY }
        const { status, means } = await purchase.form.press(use, typed).catch((error) => {
          if (!(error instanceof CheckError)) throw error
          throw new ShopFault('no answer', `The payer presses Pay, and ${error.message}`)
        })
        note(status)
        const payments = await findPayments(stage, purchase)
        if (means === 'declined' && payments.some(isPaid))
          throw new ShopFault(
            'wrong answer',
            `Money was taken, and the shop answered ${status}, as for a declined card.`,
          )
        if (card === 'declined' && means === 'paid')
          throw new ShopFault(
            'wrong answer',
            `The bank declined the card, and the shop answered ${status}, as for a paid order.`,
          )
        return means
      },
    )

export const pressPay = pressBy('approved', 'pay')
export const pressPayDeclined = pressBy('declined', 'pay')
export const pressPayAndStore = pressBy('approved', 'store')
export const pressPayWithStoredCard = pressBy('approved', 'stored')

/** Asserts that one purchase took money once. @returns the payment */
export async function findOnlyPayment(stage: Stage, purchase: CardPurchase): Promise<Purchase> {
  const paid = (await findPayments(stage, purchase)).filter(isPaid)
  const [payment] = paid
  if (!payment) throw new ShopFault('not paid', 'The payer pressed Pay, and no money was taken.')
  if (paid.length > 1)
    throw new ShopFault(
      'paid twice',
      `Money was taken ${paid.length} times for one purchase, as ${paid.map(({ paymentRef }) => paymentRef).join(' and ')}.`,
    )
  return payment
}

/** Asserts that no money was taken. @returns the declined payments */
export async function findDeclinedPayments(
  stage: Stage,
  purchase: CardPurchase,
): Promise<readonly Purchase[]> {
  const all = await findPayments(stage, purchase)
  if (all.some(isPaid))
    throw new ShopFault('paid twice', 'The bank declined the card, and money was taken.')
  return all
}

/** Asserts that the gateway stored one card for a purchase. */
export async function mustBeStoredOnce({ gateway }: Stage, { lastCard }: CardPurchase) {
  const { items } = await gateway.api.listStoredCards({ limit: 20 }).page()
  const stored = items.filter(({ id, status }) => id > lastCard && status === 'active')
  if (stored.length !== 1)
    throw new ShopFault(
      'stored cards',
      `The payer stored one card, and the gateway has stored ${stored.length}.`,
    )
}
