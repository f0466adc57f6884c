import { drawSeededBytes } from '../domain/chance.ts'
import { timers } from '../domain/timers.ts'
import type { ShopUnderCheck } from './plan.ts'
import type { Purchase, Stage, StageActions } from './stage.ts'

/** One step of a case; steps are in the order of their start. */
export interface Step {
  /** Time of this machine. */
  readonly at: string
  readonly says: string
  /** State of the shop after it, such as "fulfilled 1, paid". */
  shows?: string
}

/** The check was ended before its case was over. */
export class CheckEndedError extends Error {}

const ref = ({ paymentRef }: Purchase) => paymentRef

/** Sentences of the steps in a case's story. Requirements and questions are not steps. */
const SENTENCES: {
  readonly [Name in keyof StageActions]: (...given: Parameters<Stage[Name]>) => string
} = {
  buy: () => 'The payer buys and arrives at the payment page.',
  tryToBuy: () => 'The payer tries to buy.',
  buyAgain: (purchase) =>
    `The payer tries to pay ${ref(purchase)} again and arrives at a payment page.`,
  reserve: () => 'The payer buys with a reservation and arrives at the payment page.',
  subscribe: () => 'The payer subscribes and arrives at the payment page.',
  change: (purchase) => `The order ${ref(purchase)} is changed.`,
  pay: (purchase, card = 'approved') =>
    card === 'asked'
      ? `The payer pays ${ref(purchase)} and arrives at the bank.`
      : `The payer pays ${ref(purchase)}; the bank's answer is ${card}.`,
  answerBank: (_address, answer) =>
    answer === 'cancel' ? 'The payer cancels at the bank.' : "The payer gives the bank's code.",
  changePayment: (purchase, fields) =>
    `The payment of ${ref(purchase)} is changed: ${Object.values(fields).join(' ')}.`,
  visit: (address) => `The payer's browser opens ${address}.`,
  release: (purchase, order = 'oldest first') =>
    `The webhooks of ${ref(purchase)} arrive${order === 'oldest first' ? '' : ', the newest first'}.`,
  releaseTogether: (purchase) => `The webhooks of ${ref(purchase)} arrive on several connections.`,
  arrive: (purchase, place) => `A webhook of ${ref(purchase)} arrives (event ${place}).`,
  lose: (purchase) => `The webhooks of ${ref(purchase)} are lost.`,
  resend: (purchase) => `The webhooks of ${ref(purchase)} arrive again.`,
  alter: (purchase, change) => `A webhook of ${ref(purchase)} arrives altered (${change}).`,
  refund: (purchase, amount) => `${amount} of ${ref(purchase)} is refunded in the dashboard.`,
  captureInVain: (purchase) =>
    `The capture of ${ref(purchase)} takes an hour, and the bank declines it.`,
  passTime: ({ days }, outcomes = []) =>
    `${days} days pass.${outcomes.length > 0 ? ` The bank's answers are ${outcomes.join(', ')}.` : ''}`,
  changeCard: (purchase) => `The subscription of ${ref(purchase)} gets another card.`,
  removeCard: (purchase) => `The stored card of ${ref(purchase)} is deleted.`,
  endSubscription: (purchase) => `The subscription of ${ref(purchase)} is cancelled.`,
  fault: ({ kind, method = 'POST' }) =>
    method === 'POST'
      ? `The gateway fails at the next payment (${kind}).`
      : `The gateway fails when the shop reads a payment (${kind}).`,
}

/** Longest pause in milliseconds that a seed puts before a step. */
const LONGEST_PAUSE = 30

/**
 * Chooses the pauses before steps, so that steps that start together meet in another order for each
 * seed.
 */
export function createPause(seed: string | undefined): () => Promise<void> {
  let drawn = 0
  return async () => {
    if (seed === undefined) return
    drawn += 1
    await timers.pause((drawSeededBytes(seed, drawn, 1)[0] ?? 0) % LONGEST_PAUSE)
  }
}

/** The steps of a case and the purchases that it made. */
export interface CaseStory {
  readonly stage: Stage
  readonly steps: readonly Step[]
  readonly purchases: readonly Purchase[]
}

/**
 * Records the steps of a case, and the shop's state after each.
 * @param pause before each step
 * @param signal ends the case at the next step, or within one
 */
export function recordStory(
  stage: Stage,
  shop: ShopUnderCheck,
  pause: () => Promise<void>,
  signal: AbortSignal | undefined,
): CaseStory {
  const steps: Step[] = []
  const purchases: Purchase[] = []
  const ended = new Promise<never>((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new CheckEndedError()), { once: true })
  })
  ended.catch(() => {})

  async function recordStep<Result>(
    says: string | undefined,
    run: () => Promise<Result>,
  ): Promise<Result> {
    if (signal?.aborted) throw new CheckEndedError()
    if (says === undefined) return Promise.race([run(), ended])
    const step: Step = { at: new Date().toISOString(), says }
    steps.push(step)
    await pause()
    const result = await Promise.race([run(), ended])
    const shown = await Promise.all(
      purchases.map((purchase) => showOrder(shop, purchase.paymentRef)),
    )
    if (shown.length > 0) step.shows = shown.join('; ')
    return result
  }

  const remember = (purchase: Purchase) => {
    purchases.push(purchase)
    return purchase
  }
  const recorded = Object.fromEntries(
    Object.entries(stage).map(([name, act]) => [
      name,
      typeof act !== 'function'
        ? act
        : (...given: never[]) => {
            const sentence: ((...given: never[]) => string) | undefined =
              SENTENCES[name as keyof StageActions]
            return recordStep(sentence?.(...given), () => act(...given))
          },
    ]),
  ) as unknown as Stage
  return {
    steps,
    purchases,
    stage: {
      ...recorded,
      buy: async () => remember(await recorded.buy()),
      reserve: async () => remember(await recorded.reserve()),
      subscribe: async () => remember(await recorded.subscribe()),
    },
  }
}

/** Names the step after which an order was fulfilled a second time, if that is the cause. */
export function withRepeatedStep(
  cause: string | undefined,
  steps: readonly Step[],
): string | undefined {
  if (!/fulfilled \d+ times for one payment/.test(cause ?? '')) return cause
  const at = steps.findIndex(({ shows = '' }) => /fulfilled (?:[2-9]|\d\d)/.test(shows))
  const step = steps[at]
  return step ? `${cause} The second time was in step ${at + 1}: ${step.says}` : cause
}

/** Reads the order. If it cannot be read, the case reports that, not the timeline. */
async function showOrder(shop: ShopUnderCheck, paymentRef: string): Promise<string> {
  const order = await shop.order(paymentRef).catch(() => undefined)
  if (!order) return `${paymentRef}: no order`
  const { fulfilled, paid, amount, refunded } = order
  const parts = [
    fulfilled !== undefined && `fulfilled ${fulfilled}`,
    paid !== undefined && (paid ? 'paid' : 'not paid'),
    amount !== undefined && `amount ${amount}`,
    refunded !== undefined && `refunded ${refunded}`,
  ]
  return `${paymentRef}: ${parts.filter(Boolean).join(', ')}`
}
