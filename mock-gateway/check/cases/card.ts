import type { StageFault } from '../purchase.ts'
import type { Action, Stage } from '../stage.ts'
import type { CardPurchase } from '../steps/card-form.ts'
import * as cards from '../steps/card-form.ts'
import * as orders from '../steps/orders.ts'
import * as staff from '../steps/staff.ts'
import * as webhooks from '../steps/webhooks.ts'
import { createCases, NEVER, ONCE } from './case.ts'

/** Money is taken once, and the order is fulfilled once. */
const PAID_ONCE = {
  says: `Money is taken once. ${ONCE.says}`,
  async judge(stage: Stage, purchase: CardPurchase) {
    await webhooks.deliver(stage, await cards.findOnlyPayment(stage, purchase))
    await orders.mustBeFulfilledOnce(stage, await cards.findOnlyPayment(stage, purchase))
  },
}

/** Presses Pay while the gateway fails, and again unless the shop answered that it is paid. */
const pressDuringFault =
  (fault: StageFault): Action<CardPurchase> =>
  async (stage, purchase) => {
    let answer: string | undefined
    await staff.duringFault(stage, fault, async () => {
      answer = await cards.pressPay(stage, purchase)
    })
    if (answer !== 'paid') await cards.pressPay(stage, purchase)
  }

/**
 * Asserts that the gateway took no money from a declined card, and the shop delivered nothing.
 * @param before runs for each payment
 */
const mustGetNothing =
  (before: Action): Action<CardPurchase> =>
  async (stage, purchase) => {
    for (const declined of await cards.findDeclinedPayments(stage, purchase)) {
      await before(stage, declined)
      await orders.mustNotBeFulfilled(stage, declined)
    }
  }

/** Asserts that the stored card pays for another purchase. */
const mustPayWithStoredCard: Action<CardPurchase> = async (stage, first) => {
  const second = await cards.openAgain(stage, first)
  await cards.pressPayWithStoredCard(stage, second)
  await PAID_ONCE.judge(stage, second)
}

/**
 * The server of the shop takes the card. A case counts the newest transactions of the merchant, so
 * no other case acts until it has counted the last time.
 */
export const CARD_CASES = createCases<CardPurchase>(
  { begin: cards.openCardForm, must: PAID_ONCE },
  {
    'card-paid': {
      done: 'The payer types a card into the form of the shop and presses Pay.',
      why: 'Most payments happen like this.',
      steps: [cards.pressPay],
    },
    'card-pressed-twice': {
      done: 'The payer presses Pay twice at the same time.',
      why: 'Pages that load slowly are clicked again.',
      steps: [
        (stage, purchase) =>
          Promise.all([cards.pressPay(stage, purchase), cards.pressPay(stage, purchase)]),
      ],
    },
    'card-declined': {
      done: 'The bank declines the card. The payer types another card and presses Pay.',
      must: { ...PAID_ONCE, says: `The declined card gets no goods. ${PAID_ONCE.says}` },
      why: 'Most payers try again after a decline.',
      isAlone: true,
      steps: [cards.pressPayDeclined, mustGetNothing(webhooks.deliver), cards.pressPay],
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
      steps: [cards.pressPayDeclined],
    },
    'card-stored': {
      done: 'The payer stores the card, then pays for another purchase with the stored card.',
      must: {
        says: `The gateway stores one card. Each purchase takes money once. ${ONCE.says}`,
        judge: mustPayWithStoredCard,
      },
      why: 'Payers who come back do not want to type their card again.',
      isAlone: true,
      steps: [cards.pressPayAndStore, PAID_ONCE.judge, cards.mustBeStoredOnce],
    },
  },
)
