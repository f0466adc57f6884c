import type { CardPurchase } from '../card-shop.ts'
import type { StageFault } from '../purchase.ts'
import type { Stage } from '../stage.ts'
import { type CheckCase, deliver, ifAny, NEVER, ONCE } from './case.ts'

const MUST = `Money is taken once. ${ONCE}`
/** A press of Pay while the gateway fails, then another press. */
const failing = (name: string, done: string, why: string, fault: StageFault): CheckCase => ({
  name,
  done: `The payer presses Pay, and ${done}. The payer presses Pay again.`,
  must: MUST,
  why,
  async run(stage) {
    const purchase = await stage.cardPayer.open()
    let answer: string | undefined
    await stage.duringFault(fault, async () => {
      answer = await stage.cardPayer.press(purchase)
    })
    if (answer !== 'paid') await stage.cardPayer.press(purchase)
    await mustBeDone(stage, purchase)
  },
})

/**
 * The server of the shop takes the card. A case counts the newest transactions of the merchant, so
 * no other case acts until it has counted the last time.
 */
export const CARD_CASES: readonly CheckCase[] = [
  {
    name: 'card-paid',
    done: 'The payer types a card into the form of the shop and presses Pay.',
    must: MUST,
    why: 'Most payments happen like this.',
    async run(stage) {
      const purchase = await stage.cardPayer.open()
      await stage.cardPayer.press(purchase)
      await mustBeDone(stage, purchase)
    },
  },
  {
    name: 'card-pressed-twice',
    done: 'The payer presses Pay twice at the same time.',
    must: MUST,
    why: 'Pages that load slowly are clicked again.',
    async run(stage) {
      const purchase = await stage.cardPayer.open()
      await Promise.all([stage.cardPayer.press(purchase), stage.cardPayer.press(purchase)])
      await mustBeDone(stage, purchase)
    },
  },
  {
    name: 'card-declined',
    done: 'The bank declines the card. The payer types another card and presses Pay.',
    must: `The declined card gets no goods. ${MUST}`,
    why: 'Most payers try again after a decline.',
    isAlone: true,
    async run(stage) {
      const purchase = await stage.cardPayer.open()
      await stage.cardPayer.press(purchase, 'declined')
      for (const declined of await stage.cardPayer.mustNotBePaid(purchase)) {
        await deliver(stage, declined)
        await stage.orders.mustNotBeFulfilled(declined)
      }
      await stage.cardPayer.press(purchase)
      await mustBeDone(stage, purchase)
    },
  },
  failing(
    'card-answer-lost',
    'the answer of the gateway is lost',
    'Connections break after the request has arrived.',
    { kind: 'drop' },
  ),
  failing(
    'card-answer-late',
    'the answer of the gateway arrives a second late',
    'A network can be slow in one direction only.',
    { kind: 'late_answer', milliseconds: 1_000 },
  ),
  failing(
    'card-answer-html',
    'a proxy answers with status 502 and an HTML page',
    'Proxies answer in HTML, not in JSON.',
    { kind: 'bad_gateway' },
  ),
  {
    name: 'card-webhook-forged',
    done: 'The bank declines the card. A webhook about the payment arrives with status approved.',
    must: NEVER,
    why: 'An attacker can post to the address of a webhook.',
    isAlone: true,
    async run(stage) {
      const purchase = await stage.cardPayer.open()
      await stage.cardPayer.press(purchase, 'declined')
      for (const declined of await stage.cardPayer.mustNotBePaid(purchase)) {
        await ifAny(stage.webhooks.alter(declined, ['approved_status']))
        await stage.orders.mustNotBeFulfilled(declined)
      }
    },
  },
  {
    name: 'card-stored',
    done: 'The payer stores the card, then pays for another purchase with the stored card.',
    must: `The gateway stores one card. Each purchase takes money once. ${ONCE}`,
    why: 'Payers who come back do not want to type their card again.',
    isAlone: true,
    async run(stage) {
      const first = await stage.cardPayer.open()
      await stage.cardPayer.press(first, 'approved', 'store')
      await mustBeDone(stage, first)
      await stage.cardPayer.mustBeStoredOnce(first)
      const second = await stage.cardPayer.again(first)
      await stage.cardPayer.press(second, 'approved', 'stored')
      await mustBeDone(stage, second)
    },
  },
]

async function mustBeDone(stage: Stage, purchase: CardPurchase) {
  await deliver(stage, await stage.cardPayer.mustBePaidOnce(purchase))
  const payment = await stage.cardPayer.mustBePaidOnce(purchase)
  await stage.orders.mustBeFulfilledOnce(payment)
}
