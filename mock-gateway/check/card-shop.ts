import type { Transaction } from '../contract/wire.ts'
import { CheckError, NotCheckedError, ShopFault } from './errors.ts'
import type { StageParts } from './parts.ts'
import { CARDS, EXPIRY, HOLDER } from './payer.ts'
import {
  type CardAnswer,
  type CardForm,
  type CardUse,
  isPaid,
  type PayerCard,
  type Purchase,
  toPurchase,
} from './purchase.ts'

/** A purchase by card, with what the gateway had before it. */
export interface CardPurchase {
  readonly form: CardForm
  readonly lastTransaction: number
  readonly lastCard: number
}

/** The payer who types the card into a form of the shop, as the plan's `pay` says. */
export function buyByCard({ gateway, shop, story }: StageParts) {
  const { api } = gateway
  async function newest(): Promise<Omit<CardPurchase, 'form'>> {
    const [transactions, cards] = await Promise.all([
      api.listTransactions({ limit: 1 }).page(),
      api.listStoredCards({ limit: 1 }).page(),
    ])
    const [transaction] = transactions.items
    return { lastTransaction: transaction?.id ?? 0, lastCard: cards.items[0]?.id ?? 0 }
  }
  async function transactionsOf({
    lastTransaction,
  }: CardPurchase): Promise<readonly Transaction[]> {
    const { items } = await api.listTransactions({ limit: 20 }).page()
    return items.filter(({ id }) => id > lastTransaction).toReversed()
  }
  /** Remembers the purchases that a press made. @returns those that took money */
  async function paidOf(purchase: CardPurchase): Promise<readonly Purchase[]> {
    const all = await transactionsOf(purchase)
    for (const each of all)
      if (!story.transactions.includes(each.id)) story.remember(toPurchase(each))
    return all.filter(({ status }) => isPaid(status)).map(toPurchase)
  }
  return {
    open: async (): Promise<CardPurchase> => {
      const open = shop.card
      if (!open)
        throw new NotCheckedError(
          'The plan has no "pay". If your server takes the card, add: "pay": { "post": "/pay", "fields": { "number": "{card_number}", "expiry": "{card_expiry}", "cvv": "{card_cvv}", "basket": "{purchase}" } }',
        )
      return story.step('buy', 'The payer opens the form for the card.', async () => ({
        ...(await newest()),
        form: await open(),
      }))
    },
    again: async ({ form }: CardPurchase): Promise<CardPurchase> => ({
      ...(await newest()),
      form: await form.again(),
    }),
    /**
     * Presses Pay with a card. An answer that contradicts the bank is a mistake.
     * @returns the meaning of the answer; undefined for an error or no answer
     */
    press: (
      purchase: CardPurchase,
      card: Exclude<PayerCard, 'asked'> = 'approved',
      use: CardUse = 'pay',
    ): Promise<CardAnswer | undefined> =>
      story.step(
        card === 'approved' ? 'pay' : 'decline',
        use === 'stored'
          ? 'The payer pays with the stored card.'
          : `The payer presses Pay${use === 'store' ? ' and stores the card' : ''}; the bank's answer is ${card}.`,
        async (note) => {
          const typed = { ...CARDS[card], card_holder: HOLDER, card_expiry: EXPIRY }
          const answer = await purchase.form.press(use, typed).catch((error) => {
            if (!(error instanceof CheckError)) throw error
            return { status: 0, means: undefined }
          })
          note(answer.status)
          await paidOf(purchase)
          if (card === 'declined' && answer.means === 'paid')
            throw new ShopFault(
              'wrong answer',
              `The bank declined the card, and the shop answered ${answer.status}, as for a paid order.`,
            )
          return answer.means
        },
      ),
    /** Asserts that one press took money once. @returns the payment */
    async mustBePaidOnce(purchase: CardPurchase): Promise<Purchase> {
      const paid = await paidOf(purchase)
      const [payment] = paid
      if (!payment)
        throw new ShopFault('not paid', 'The payer pressed Pay, and no money was taken.')
      if (paid.length > 1)
        throw new ShopFault(
          'paid twice',
          `Money was taken ${paid.length} times for one purchase, as ${paid.map(({ paymentRef }) => paymentRef).join(' and ')}.`,
        )
      return payment
    },
    /** Asserts that no money was taken. @returns the declined payments */
    async mustNotBePaid(purchase: CardPurchase): Promise<readonly Purchase[]> {
      if ((await paidOf(purchase)).length > 0)
        throw new ShopFault('paid twice', 'The bank declined the card, and money was taken.')
      return (await transactionsOf(purchase)).map(toPurchase)
    },
    /** Asserts that the gateway stored one card for a purchase. */
    async mustBeStoredOnce({ lastCard }: CardPurchase) {
      const { items } = await api.listStoredCards({ limit: 20 }).page()
      const stored = items.filter(({ id, status }) => id > lastCard && status === 'active')
      if (stored.length !== 1)
        throw new ShopFault(
          'stored cards',
          `The payer stored one card, and the gateway has stored ${stored.length}.`,
        )
    },
  }
}
