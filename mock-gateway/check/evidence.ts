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
  const { purchase, order } = facts
  const refunds = purchase?.refunds ?? []
  const has = (kind: StepKind) => steps.some((step) => step.kind === kind)
  const paidAt = steps.findLastIndex(({ kind }) => PAYMENTS.has(kind))
  const [before, after] = [steps.slice(0, Math.max(0, paidAt)), steps.slice(paidAt + 1)]
  const first = steps.find((step) => countAfter(step) > 0)
  const again = findSecondTime(steps) ?? findOnlyMessage(steps)
  const between = first && again ? steps.slice(steps.indexOf(first), steps.indexOf(again)) : []
  const webhooks = after.filter(isWebhook)
  const refundedAt = steps.findIndex(({ kind }) => kind === 'refund')
  const afterRefund = refundedAt < 0 ? [] : steps.slice(refundedAt + 1)
  const lastWebhook = webhooks.at(-1)
  const fulfilledAt = steps.find((step) => countAfter(step) > 0 || isShownPaid(step))
  return {
    violation,
    facts,
    has,
    isCharge: facts.periods !== undefined || purchase?.subscriptionId !== undefined,
    isCard: has('press') || has('press stored'),
    /** @param change an alteration of a forged webhook, or the kind of a fault */
    isChanged: (change: string) => steps.some((step) => step.change?.includes(change)),
    /** The step after which an order was fulfilled, or shown as paid. */
    fulfilledBy:
      fulfilledAt && fulfilledAt.kind !== 'end'
        ? fulfilledAt
        : steps.findLast(({ kind }) => kind !== 'end'),
    /** The step after which an order was fulfilled again. A queue shows none. */
    fulfilledAgainBy: again,
    isAgainByWebhook: isWebhook(again),
    isAgainByReturn: again !== undefined && RETURNS.has(again.kind),
    isAgainAfterOther: isWebhook(again) && between.some(({ kind }) => kind === 'buy'),
    /** The first message was handled completely before the one that sent the goods again. */
    isInSequence: between.length > 0,
    hasFailedAfterSending:
      first !== undefined && first !== again && isWebhook(first) && hasFailed(first),
    wasFulfilled: steps.some((step) => countAfter(step, purchase?.paymentRef) > 0),
    /** After the payment: webhooks, returns, and faults of the gateway. */
    hasWebhook: lastWebhook !== undefined,
    isReturned: after.some(({ kind }) => kind === 'return'),
    hasWebhookFailed: webhooks.some(hasFailed),
    lastWebhookFailed: lastWebhook !== undefined && hasFailed(lastWebhook),
    isAcceptedAfterFailure:
      webhooks.some(hasFailed) && lastWebhook !== undefined && !hasFailed(lastWebhook),
    hasFaultAfterPay: after.some(({ kind }) => kind === 'fault'),
    wasTriedBefore: before.some(({ kind }) => kind === 'decline' || kind === 'return'),
    isLate: before.some(({ kind }) => kind === 'late'),
    hasRefundFailed: afterRefund.some((step) => isWebhook(step) && hasFailed(step)),
    hasRefundWebhook: afterRefund.some(isWebhook),
    /** Number of webhooks after the first refund. */
    refundMessages: afterRefund.filter(isWebhook).flatMap(({ answers }) => answers).length,
    wasRefundShown: afterRefund.some(({ orders = new Map() }) =>
      [...orders.values()].some(({ refunded }) => Number(refunded) > 0),
    ),
    refunds,
    shownRefund: Number(order?.refunded),
    refunded: refunds.reduce((sum, part) => sum + Number(part), 0),
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

const isShownPaid = ({ orders = new Map() }: Step): boolean =>
  [...orders.values()].some(({ paid }) => paid === true)

/** The step after which an order was fulfilled a second time. */
const findSecondTime = (steps: readonly Step[]): Step | undefined =>
  steps.find((step) => step.kind !== 'end' && countAfter(step) > 1)

/** Names the step after which an order was fulfilled a second time, if that is the mistake. */
export function describeSecondTime({ violation, facts }: ShopFault, steps: readonly Step[]) {
  const step = violation === 'fulfilled again' && !facts.periods ? findSecondTime(steps) : undefined
  return step ? ` The second time was in step ${steps.indexOf(step) + 1}: ${step.says}` : ''
}
