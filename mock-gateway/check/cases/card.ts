import { CheckError, NotCheckedError, ShopFault } from '../errors.ts'
import { CARDS, EXPIRY, HOLDER } from '../payer.ts'
import {
  type CardAnswer,
  type CardForm,
  type CardUse,
  isPaid,
  type Purchase,
  type StageFault,
  toPurchase,
} from '../purchase.ts'
import type { Action, Stage } from '../stage.ts'
import * as orders from '../steps/orders.ts'
import * as staff from '../steps/staff.ts'
import * as webhooks from '../steps/webhooks.ts'
import { createCases, NEVER, ONCE } from './case.ts'

/** A purchase in a form of the shop that takes the card, with what the gateway had before it. */
interface CardPurchase {
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
const openAgain = async (stage: Stage, { form }: CardPurchase): Promise<CardPurchase> =>
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
const pressPayDeclined = pressBy('declined', 'pay')
const pressPayAndStore = pressBy('approved', 'store')
const pressPayWithStoredCard = pressBy('approved', 'stored')

/** Asserts that one purchase took money once. @returns the payment */
export async function findOnlyPayment(stage: Stage, purchase: CardPurchase): Promise<Purchase> {
  const paid = (await findPayments(stage, purchase)).filter(isPaid)
  const [payment] = paid
  if (!payment) throw new ShopFault('not paid', 'The payer pressed Pay, and no money was taken.')
  if (paid.length > 1)
    throw new ShopFault(
      'paid twice',
      `Money was taken ${paid.length} times for one purchase, as ${paid.map(({ payment_ref }) => payment_ref).join(' and ')}.`,
    )
  return payment
}

/** Asserts that no money was taken. @returns the declined payments */
async function findDeclinedPayments(
  stage: Stage,
  purchase: CardPurchase,
): Promise<readonly Purchase[]> {
  const all = await findPayments(stage, purchase)
  if (all.some(isPaid))
    throw new ShopFault('paid twice', 'The bank declined the card, and money was taken.')
  return all
}

/** Asserts that the gateway stored one card for a purchase. */
async function mustBeStoredOnce({ gateway }: Stage, { lastCard }: CardPurchase) {
  const { items } = await gateway.api.listStoredCards({ limit: 20 }).page()
  const stored = items.filter(({ id, status }) => id > lastCard && status === 'active')
  if (stored.length !== 1)
    throw new ShopFault(
      'stored cards',
      `The payer stored one card, and the gateway has stored ${stored.length}.`,
    )
}

/** Money is taken once, and the order is fulfilled once. */
const PAID_ONCE = {
  says: `Money is taken once. ${ONCE.says}`,
  async judge(stage: Stage, purchase: CardPurchase) {
    await webhooks.deliver(stage, await findOnlyPayment(stage, purchase))
    await orders.mustBeFulfilledOnce(stage, await findOnlyPayment(stage, purchase))
  },
}

/** Presses Pay while the gateway fails, and again unless the shop answered that it is paid. */
const pressDuringFault =
  (fault: StageFault): Action<CardPurchase> =>
  async (stage, purchase) => {
    let answer: string | undefined
    await staff.duringFault(stage, fault, async () => {
      answer = await pressPay(stage, purchase)
    })
    if (answer !== 'paid') await pressPay(stage, purchase)
  }

/**
 * Asserts that the gateway took no money from a declined card, and the shop delivered nothing.
 * @param before runs for each payment
 */
const mustGetNothing =
  (before: Action): Action<CardPurchase> =>
  async (stage, purchase) => {
    for (const declined of await findDeclinedPayments(stage, purchase)) {
      await before(stage, declined)
      await orders.mustNotBeFulfilled(stage, declined)
    }
  }

/** Asserts that the stored card pays for another purchase. */
const mustPayWithStoredCard: Action<CardPurchase> = async (stage, first) => {
  const second = await openAgain(stage, first)
  await pressPayWithStoredCard(stage, second)
  await PAID_ONCE.judge(stage, second)
}

/**
 * The server of the shop takes the card. A case counts the newest transactions of the merchant, so
 * no other case acts until it has counted the last time.
 */
export const CARD_CASES = createCases<CardPurchase>(
  { begin: openCardForm, must: PAID_ONCE },
  {
    'card-paid': {
      done: 'The payer types a card into the form of the shop and presses Pay.',
      why: 'Most payments happen like this.',
      steps: [pressPay],
    },
    'card-pressed-twice': {
      done: 'The payer presses Pay twice at the same time.',
      why: 'Pages that load slowly are clicked again.',
      steps: [
        (stage, purchase) => Promise.all([pressPay(stage, purchase), pressPay(stage, purchase)]),
      ],
    },
    'card-declined': {
      done: 'The bank declines the card. The payer types another card and presses Pay.',
      must: { ...PAID_ONCE, says: `The declined card gets no goods. ${PAID_ONCE.says}` },
      why: 'Most payers try again after a decline.',
      isAlone: true,
      steps: [pressPayDeclined, mustGetNothing(webhooks.deliver), pressPay],
    },
    'card-answer-lost': {
      done: 'The payer presses Pay, and the answer of the gateway is lost. The payer presses Pay again.',
      why: 'Connections break after the request has arrived.',
      steps: [pressDuringFault({ kind: 'drop' })],
    },
    'card-answer-late': {
      done: 'The payer presses Pay, and the answer of the gateway arrives a second late. The payer presses Pay again.',
      why: 'A network can be slow in one direction only.',
      steps: [pressDuringFault({ kind: 'late_answer', milliseconds: 1_000 })],
    },
    'card-answer-html': {
      done: 'The payer presses Pay, and a proxy answers with status 502 and an HTML page. The payer presses Pay again.',
      why: 'Proxies answer in HTML, not in JSON.',
      steps: [pressDuringFault({ kind: 'bad_gateway' })],
    },
    'card-webhook-forged': {
      done: 'The bank declines the card. A webhook about the payment arrives with status approved.',
      must: {
        says: NEVER.says,
        judge: mustGetNothing(webhooks.ifAny(webhooks.alter(['approved_status']))),
      },
      why: 'An attacker can post to the address of a webhook.',
      isAlone: true,
      steps: [pressPayDeclined],
    },
    'card-stored': {
      done: 'The payer stores the card, then pays for another purchase with the stored card.',
      must: {
        says: `The gateway stores one card. Each purchase takes money once. ${ONCE.says}`,
        judge: mustPayWithStoredCard,
      },
      why: 'Payers who come back do not want to type their card again.',
      isAlone: true,
      steps: [pressPayAndStore, PAID_ONCE.judge, mustBeStoredOnce],
    },
  },
)
