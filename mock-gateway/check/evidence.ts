import type { ShopFault } from './errors.ts'
import { countMostFulfilled } from './order-view.ts'
import { isError, type Step, type StepKind } from './story.ts'

/** A failure, with the observations that decide its cause. */
export type Evidence = ReturnType<typeof toEvidence>

/** Which cases of a check passed and failed. Neither is true for a case that was not checked. */
export interface CaseFacts {
  passed(name: string): boolean
  /** @param fits condition for its failure. Default: it violated the rule of the judged case. */
  failed(name: string, fits?: (evidence: Evidence) => boolean): boolean
}

/** Reads the observations of a failure from its steps. */
export function toEvidence({ facts, violation }: ShopFault, steps: readonly Step[]) {
  const { purchase } = facts
  const paidAt = steps.findLastIndex(({ kind }) => PAYMENTS.has(kind))
  const before = steps.slice(0, Math.max(0, paidAt))
  const has = (kind: StepKind) => steps.some((step) => step.kind === kind)
  return {
    violation,
    facts,
    has,
    /** @param change an alteration of a forged webhook, or the kind of a fault */
    isChanged: (change: string) => steps.some((step) => step.change?.includes(change)),
    isCharge: facts.periods !== undefined || purchase?.subscriptionId !== undefined,
    isCard: has('press') || has('press stored'),
    /** Kind of the step after which an order was fulfilled, or shown as paid. */
    fulfilledBy: findFulfilment(steps)?.kind,
    /** The order of the failure was fulfilled after some step. */
    wasFulfilled: steps.some((step) => countAfter(step, purchase?.payment_ref) > 0),
    again: describeAgain(steps),
    before: {
      hasAttempt: before.some(({ kind }) => kind === 'decline' || kind === 'return'),
      isLate: before.some(({ kind }) => kind === 'late'),
    },
    after: describeAfter(steps.slice(paidAt + 1)),
    refund: describeRefund(facts, steps),
  }
}

/** Describes how an order was fulfilled a second time. A queue shows no such step. */
function describeAgain(steps: readonly Step[]) {
  const first = steps.find((step) => countAfter(step) > 0)
  const again = findSecondTime(steps) ?? findOnlyMessage(steps)
  const between = first && again ? steps.slice(steps.indexOf(first), steps.indexOf(again)) : []
  return {
    by: again?.kind,
    byWebhook: isWebhook(again),
    byReturn: again !== undefined && RETURNS.has(again.kind),
    /** The same webhook came after a purchase of another order. */
    byWebhookAfterOther: isWebhook(again) && between.some(({ kind }) => kind === 'buy'),
    /** The first message was handled completely before the one that sent the goods again. */
    inSequence: between.length > 0,
    /** The webhook that sent the goods first was answered with an error. */
    afterError: first !== undefined && first !== again && isWebhook(first) && hasFailed(first),
  }
}

/** Describes the steps after the payment. */
function describeAfter(steps: readonly Step[]) {
  const webhooks = steps.filter(isWebhook)
  const [someFailed, lastFailed] = [webhooks.some(hasFailed), webhooks.slice(-1).some(hasFailed)]
  return {
    hasWebhook: webhooks.length > 0,
    hasReturn: steps.some(({ kind }) => kind === 'return'),
    hasFault: steps.some(({ kind }) => kind === 'fault'),
    /** Webhooks that the shop answered with an error: some of them, and the last one. */
    webhookFailed: someFailed,
    lastWebhookFailed: lastFailed,
    acceptedAfterFailure: someFailed && !lastFailed,
  }
}

/** Compares the refunds of the gateway with the refund that the order shows. */
function describeRefund({ purchase, order }: ShopFault['facts'], steps: readonly Step[]) {
  const parts = (purchase?.refunded ?? []).map(Number)
  const refundedAt = steps.findIndex(({ kind }) => kind === 'refund')
  const after = refundedAt < 0 ? [] : steps.slice(refundedAt + 1)
  const webhooks = after.filter(isWebhook)
  return {
    parts,
    sum: parts.reduce((sum, part) => sum + part, 0),
    shown: Number(order?.refunded),
    /** After the first refund. */
    hasWebhook: webhooks.length > 0,
    webhookFailed: webhooks.some(hasFailed),
    messages: webhooks.flatMap(({ answers }) => answers).length,
    wasShown: after.some(({ orders = new Map() }) =>
      [...orders.values()].some(({ refunded }) => Number(refunded) > 0),
    ),
  }
}

const PAYMENTS: ReadonlySet<StepKind> = new Set(['pay', 'press', 'press stored'])
const RETURNS: ReadonlySet<StepKind> = new Set(['return', 'forged return', 'pay'])
const WEBHOOKS: ReadonlySet<StepKind> = new Set([
  'webhook',
  'webhook again',
  'webhooks together',
  'interrupted webhook',
  'forged webhook',
])

const isWebhook = (step: Step | undefined): boolean => step !== undefined && WEBHOOKS.has(step.kind)

/** Returns a message to the shop, if all messages are of its kind. */
function findOnlyMessage(steps: readonly Step[]): Step | undefined {
  const messages = steps.filter((step) => isWebhook(step) || step.kind === 'return')
  const isOneKind = messages.every((step) => isWebhook(step) === isWebhook(messages[0]))
  return isOneKind ? messages[0] : undefined
}

/** The last answer of the shop in a step was an error, or none. */
const hasFailed = ({ answers }: Step): boolean => {
  const last = answers.at(-1)
  return last !== undefined && isError(last)
}

/** @param paymentRef default: any order */
const countAfter = ({ orders = new Map() }: Step, paymentRef?: string): number =>
  Math.max(
    0,
    ...[...orders].map(([ref, order]) =>
      paymentRef === undefined || ref === paymentRef ? countMostFulfilled(order) : 0,
    ),
  )

/** Finds the step after which an order was fulfilled or shown as paid, otherwise the last one. */
function findFulfilment(steps: readonly Step[]): Step | undefined {
  const isPaid = ({ orders = new Map() }: Step) =>
    [...orders.values()].some(({ paid }) => paid === true)
  const found = steps.find((step) => countAfter(step) > 0 || isPaid(step))
  return found && found.kind !== 'end' ? found : steps.findLast(({ kind }) => kind !== 'end')
}

/** Finds the step after which an order was fulfilled a second time. */
const findSecondTime = (steps: readonly Step[]): Step | undefined =>
  steps.find((step) => step.kind !== 'end' && countAfter(step) > 1)

/** Names the step after which an order was fulfilled a second time, if that is the mistake. */
export function describeSecondTime({ violation, facts }: ShopFault, steps: readonly Step[]) {
  const step = violation === 'fulfilled again' && !facts.periods ? findSecondTime(steps) : undefined
  return step ? ` The second time was in step ${steps.indexOf(step) + 1}: ${step.says}` : ''
}
