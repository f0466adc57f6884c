import { ASK, BOTH_WAYS, CATCH, type CheckCase, REMEMBER, STAY_OPEN, VERIFY } from './cases/case.ts'
import type { FaultFacts, ShopFault, Violation } from './errors.ts'
import { mostFulfilled } from './order-view.ts'
import type { Step, StepKind } from './story.ts'

/** Why a shop fails: several cases can fail for one cause. */
export interface Cause {
  readonly id: string
  /** The mistake, in one sentence. */
  readonly says: string
  /** How shops fix it. */
  readonly fix: string
  /** The simplest case that shows it. */
  readonly begin?: string
  /** Causes that also explain its cases, if they are found too. */
  readonly partOf?: readonly string[]
}

/** A failed case, as far as it is known when it ends. */
interface Failure {
  readonly violation: Violation
  readonly facts: FaultFacts
  readonly steps: readonly Step[]
}

const BY_ID = 'Fulfil a period by the id of its transaction, and only if its status is approved.'
const LOCK =
  'Fulfil in one conditional update, such as UPDATE orders SET paid = 1 WHERE ref = ? AND paid = 0, and only if it changed a row: two processes then cannot both send the goods.'
const KEEP =
  'Verify the signature before you store anything, and keep the amount and currency of the order.'

/** Causes that are found from the facts of a case. */
const CAUSES = {
  'webhook-sends-again': {
    says: 'Every webhook sends the goods again.',
    fix: REMEMBER,
    begin: 'webhook-twice',
  },
  'return-sends-again': {
    says: 'Every return of the payer sends the goods again.',
    fix: REMEMBER,
    begin: 'return-twice',
  },
  'message-sends-again': {
    says: 'Every message sends the goods again: each webhook and each return of the payer.',
    fix: REMEMBER,
    begin: 'webhook-twice',
  },
  'webhook-forgotten': {
    says: 'The shop recognises a repeated webhook only until the webhook of another order.',
    fix: 'Keep the webhook-id of every webhook with its order, not only the last one.',
    begin: 'webhook-later',
    partOf: ['webhook-sends-again', 'message-sends-again'],
  },
  'old-webhook': {
    says: 'A recorded webhook that is one day old sends the goods again.',
    fix: `Reject a webhook-timestamp that is more than five minutes off. ${REMEMBER}`,
    partOf: ['webhook-sends-again', 'message-sends-again'],
  },
  race: {
    says: 'Two messages that arrive at the same time both send the goods.',
    fix: LOCK,
    begin: 'webhook-two-connections',
    partOf: ['webhook-sends-again', 'return-sends-again', 'message-sends-again'],
  },
  'fails-after-sending': {
    says: 'The webhook handler sends the goods and then answers with an error, so the gateway sends the webhook again.',
    fix: `Answer with status 200 as soon as the order is stored as paid, and work afterwards. ${REMEMBER}`,
    partOf: [],
  },
  'webhooks-wait': {
    says: 'The shop does not answer a webhook in time.',
    fix: 'Answer first and work afterwards. Do not wait for another webhook of the order inside a lock.',
  },
  'webhooks-wait-for-each-other': {
    says: 'Two webhooks of one order wait for each other until the time limit.',
    fix: 'Take locks in the same order in every handler, and let the second webhook wait for one lock only.',
    partOf: ['webhooks-wait'],
  },
  'return-believed': {
    says: 'The shop believes its return address.',
    fix: ASK,
    begin: 'return-unpaid',
  },
  'return-believed-while-down': {
    says: 'The shop believes its return address while the gateway does not answer.',
    fix: 'While the gateway does not answer, fulfil nothing. The webhook arrives later.',
    partOf: ['return-believed'],
  },
  'declined-fulfilled': {
    says: 'The shop fulfils an order whose payment was declined or is not finished.',
    fix: 'Fulfil only if status is approved (or authorized, if you capture later).',
    begin: 'declined',
    partOf: ['return-believed'],
  },
  'webhook-believed': {
    says: 'The shop believes a forged webhook.',
    fix: VERIFY,
    begin: 'webhook-forged-status',
  },
  'unsigned-webhook': {
    says: 'The shop believes a webhook without a signature.',
    fix: `Reject a webhook without a signature. ${ASK}`,
    partOf: ['webhook-believed'],
  },
  'wrong-signature': {
    says: 'The shop does not compare the signature of a webhook.',
    fix: VERIFY,
    partOf: ['webhook-believed'],
  },
  'other-merchant': {
    says: "The shop believes a webhook about another merchant's payment.",
    fix: `Compare merchant_id with your own. ${VERIFY}`,
    partOf: ['webhook-believed'],
  },
  'other-order': {
    says: 'The shop believes a webhook that names another order.',
    fix: VERIFY,
    partOf: ['webhook-believed'],
  },
  'webhook-stored': {
    says: 'The shop stores the data of an unverified webhook.',
    fix: KEEP,
    begin: 'webhook-forged-amount',
    partOf: [],
  },
  'amount-not-compared': {
    says: 'The shop does not compare the paid amount with the order.',
    fix: ASK,
    begin: 'other-amount',
  },
  'currency-not-compared': {
    says: 'The shop does not compare the paid currency with the order.',
    fix: ASK,
    begin: 'other-currency',
  },
  'test-not-compared': {
    says: 'The shop does not compare the test flag of the payment with its own.',
    fix: 'Compare test with your own setting: a test payment moves no money.',
    partOf: ['webhook-believed'],
  },
  'amount-as-text': {
    says: 'The shop compares amounts as text.',
    fix: 'Compare amounts as numbers of hundredths: "100" and "100.00" are equal.',
    begin: 'plain',
  },
  'currency-as-text': {
    says: 'The shop compares currencies letter by letter.',
    fix: 'Compare currencies in lower case: "SEK" and "sek" are equal.',
    begin: 'plain',
  },
  'amount-in-hundredths': {
    says: 'The order shows the amount in hundredths.',
    fix: 'Name a member of the order with two decimals at "amount", such as 100.00.',
    begin: 'plain',
  },
  'paid-ignored': {
    says: 'The shop does not fulfil a paid order, although it was informed.',
    fix: BOTH_WAYS,
    begin: 'plain',
  },
  'webhook-fails': {
    says: 'The webhook handler answers a genuine webhook with an error.',
    fix: 'Find the error in the log of the shop, at the time of the step.',
    begin: 'payer-never-returns',
  },
  'clock-compared': {
    says: 'The shop rejects a webhook because its clock is two minutes ahead.',
    fix: 'Allow five minutes between webhook-timestamp and your clock, in both directions.',
    begin: 'clocks-apart',
    partOf: ['webhook-fails'],
  },
  'broken-webhook': {
    says: 'After half of a webhook, the shop ignores the whole webhook.',
    fix: 'Answer with status 400 to an unreadable body, and mark nothing as done.',
    begin: 'webhook-cut',
    partOf: ['paid-ignored', 'webhook-ignored', 'webhook-fails', 'amount-as-text'],
  },
  'error-hidden': {
    says: 'The webhook handler answers with success although it could not finish.',
    fix: 'Answer with status 500 if the handler could not finish. The gateway sends a webhook again after status 500 only.',
    begin: 'handler-fails-first',
    partOf: ['paid-ignored', 'webhook-ignored', 'amount-as-text', 'currency-as-text'],
  },
  'service-error': {
    says: 'The shop breaks if the gateway fails or is slow.',
    fix: CATCH,
    begin: 'service-down',
  },
  'webhook-ignored': {
    says: 'The webhook alone does not fulfil the order.',
    fix: 'Fulfil from the webhook, not only from the return address.',
    begin: 'payer-never-returns',
    partOf: ['paid-ignored', 'amount-as-text', 'currency-as-text'],
  },
  'return-ignored': {
    says: 'The return of the payer alone does not fulfil the order.',
    fix: BOTH_WAYS,
    begin: 'webhook-never',
    partOf: ['paid-ignored', 'amount-as-text', 'currency-as-text'],
  },
  'order-closed': {
    says: 'The shop closes an order that the payer can still pay.',
    fix: STAY_OPEN,
    begin: 'declined-then-paid',
    partOf: ['paid-ignored', 'amount-as-text', 'currency-as-text', 'webhook-fails'],
  },
  'order-closed-later': {
    says: 'A late message about a declined attempt closes a paid order.',
    fix: 'Read the transaction from the gateway: a message contains the state at its event, not the current state.',
    begin: 'decline-arrives-last',
    partOf: ['order-closed'],
  },
  'charge-ignored': {
    says: 'The shop does not fulfil a charge of a subscription.',
    fix: 'Add a webhook with trigger recurring_success, and find the order by subscription.id.',
    begin: 'subscription-charged',
  },
  'failed-charge-counted': {
    says: 'The shop fulfils a charge that the bank declined.',
    fix: BY_ID,
    begin: 'subscription-failed',
  },
  'charge-counted-again': {
    says: 'Every webhook about a charge fulfils it again.',
    fix: BY_ID,
    begin: 'subscription-webhook-twice',
  },
  'new-reference': {
    says: 'The shop creates another payment_ref for a repeated attempt, so the payer pays twice.',
    fix: 'Create the payment_ref with the order, and send it with every attempt: the gateway then takes money once.',
    begin: 'card-pressed-twice',
  },
  'refund-ignored': {
    says: 'The shop does not read the refunds of the transaction.',
    fix: 'Read the refunds of the transaction at every webhook, and show their sum.',
    begin: 'refund',
  },
  'refund-unknown': {
    says: 'The shop has no webhook about refunds.',
    fix: 'Add a webhook with trigger refund, and read the refunds of the transaction.',
    begin: 'refund',
  },
  'refund-lost': {
    says: 'A later message resets the refunded amount.',
    fix: 'Read the refunds of the transaction at every message, and show their sum.',
    begin: 'every-order',
    partOf: ['refund-ignored'],
  },
  'refund-last': {
    says: 'The shop shows the last refund instead of the sum.',
    fix: 'Store the sum of all refunds of the transaction, not the last one.',
    begin: 'refund-in-parts',
  },
  'refund-added': {
    says: 'Every webhook about a refund is added again.',
    fix: 'Store the sum of all refunds of the transaction. Do not add the amount of each webhook.',
    begin: 'refund-webhook-twice',
  },
} as const satisfies Readonly<Record<string, Omit<Cause, 'id'>>>

type CauseName = keyof typeof CAUSES

/** For the documents. */
export const CAUSE_LIST: readonly Omit<Cause, 'id'>[] = Object.values(CAUSES)

/** Causes of one case only, such as failures of the service, use the advice of the case. */
export function findCause(fault: ShopFault, steps: readonly Step[], tried: CheckCase): Cause {
  const { violation, facts, message } = fault
  const name = FINDERS[violation]?.({ violation, facts, steps })
  if (name) return { id: name, ...CAUSES[name] }
  return { id: tried.name, says: message, fix: tried.fix, begin: tried.name }
}

/** The cause if webhooks and returns both send the goods again. */
const MESSAGE_CAUSE: Cause = { id: 'message-sends-again', ...CAUSES['message-sends-again'] }

type Finder = (failure: Failure) => CauseName | undefined

const FINDERS: Readonly<Partial<Record<Violation, Finder>>> = {
  'fulfilled again': ({ steps, facts: { charges } }) => {
    if (charges)
      return charges.counted === charges.made ? 'failed-charge-counted' : 'charge-counted-again'
    const at = steps.find((step) => countAfter(step) > 1) ?? onlyMessage(steps)
    const first = steps.find((step) => countAfter(step) > 0)
    if (at?.kind === 'webhooks together') return 'race'
    if (at?.change?.includes('old_timestamp')) return 'old-webhook'
    if (first && first !== at && isWebhook(first) && hasFailed(first)) return 'fails-after-sending'
    const between = first && at ? steps.slice(steps.indexOf(first), steps.indexOf(at)) : []
    if (isWebhook(at) && between.some(({ kind }) => kind === 'buy')) return 'webhook-forgotten'
    if (at?.kind === 'return' || at?.kind === 'pay') return 'return-sends-again'
    return isWebhook(at) ? 'webhook-sends-again' : 'message-sends-again'
  },
  'fulfilled unpaid': findUnpaid,
  'changed by a forgery': () => 'webhook-stored',
  'no answer to a webhook': ({ steps }) =>
    steps.at(-1)?.kind === 'webhooks together' ? 'webhooks-wait-for-each-other' : 'webhooks-wait',
  'wrong amount': ({ facts: { shown }, steps }) => {
    if (steps.some(({ kind }) => kind === 'forged webhook')) return 'webhook-stored'
    return Number(shown?.order.amount) === 100 * Number(shown?.paid.amount)
      ? 'amount-in-hundredths'
      : 'amount-not-compared'
  },
  'wrong currency': ({ steps }) =>
    steps.some(({ kind }) => kind === 'forged webhook') ? 'webhook-stored' : undefined,
  'wrong refund': ({ facts: { refunded }, steps }) => {
    const shown = Number(refunded?.shown)
    const parts = refunded?.parts.map(Number) ?? []
    const sum = parts.reduce((total, part) => total + part, 0)
    const told = steps.slice(steps.findIndex(({ kind }) => kind === 'refund') + 1)
    if (shown === 0 && told.some(showsRefund)) return 'refund-lost'
    if (shown === 0) return told.some(isWebhook) ? 'refund-ignored' : 'refund-unknown'
    if (parts.length > 1 && shown === parts.at(-1)) return 'refund-last'
    return shown > sum && told.filter(isWebhook).length > 1 ? 'refund-added' : undefined
  },
  'no answer': ({ steps }) =>
    steps.some(({ kind }) => kind === 'fault') ? 'service-error' : undefined,
  'paid twice': () => 'new-reference',
  'not fulfilled': findNotFulfilled,
}

function findUnpaid({ steps }: Failure): CauseName | undefined {
  const kinds = new Set<StepKind>(steps.map(({ kind }) => kind))
  if (kinds.has('changed amount')) return 'amount-not-compared'
  if (kinds.has('changed currency')) return 'currency-not-compared'
  const at = steps.find((step) => countAfter(step) > 0 || isShownPaid(step)) ?? steps.at(-1)
  if (at?.kind === 'forged webhook') return causeOfForgery(at.change ?? '')
  if (at?.kind === 'forged return' && kinds.has('fault')) return 'return-believed-while-down'
  const isTried = kinds.has('pay') || kinds.has('decline')
  if (at?.kind === 'forged return' || (at?.kind === 'return' && !isTried)) return 'return-believed'
  return at?.kind === 'return' || isWebhook(at) ? 'declined-fulfilled' : undefined
}

function causeOfForgery(change: string): CauseName {
  if (change.includes('no_signature')) return 'unsigned-webhook'
  if (change.includes('wrong_signature')) return 'wrong-signature'
  if (change.includes('live_payment')) return 'test-not-compared'
  if (change.includes('merchant') || change.includes('same_secret')) return 'other-merchant'
  return change.includes('other_order') ? 'other-order' : 'webhook-believed'
}

function findNotFulfilled({ steps, facts }: Failure): CauseName | undefined {
  const { order, paid } = facts.shown ?? {}
  if (facts.charges || paid?.subscriptionId !== undefined) return 'charge-ignored'
  const paidAt = steps.findLastIndex(({ kind }) => kind === 'pay')
  const before = steps.slice(0, paidAt)
  const after = steps.slice(paidAt + 1)
  if (steps.some((step) => countAfter(step, paid?.paymentRef) > 0)) return 'order-closed-later'
  const last = after.findLast(isWebhook)
  const isChanged = (change: string) => steps.some((step) => step.change?.includes(change))
  if (last?.change?.includes('clock_ahead') && hasFailed(last)) return 'clock-compared'
  if (isChanged('cut_body')) return 'broken-webhook'
  if (last && hasFailed(last)) return 'webhook-fails'
  if (after.some(({ kind }) => kind === 'fault')) return 'error-hidden'
  const isReturned = after.some(({ kind }) => kind === 'return')
  if (before.some(({ kind }) => kind === 'decline' || kind === 'return')) return 'order-closed'
  if (!last) return isReturned ? 'return-ignored' : undefined
  if (!isReturned) return 'webhook-ignored'
  if (isOtherText(order?.amount, paid?.amount)) return 'amount-as-text'
  return isOtherText(order?.currency, paid?.currency) ? 'currency-as-text' : 'paid-ignored'
}

/** Returns true for two equal values in different spellings, such as "100" and "100.00". */
const isOtherText = (shown: string | undefined, paid: string | undefined): boolean =>
  shown !== undefined && shown !== paid

/** Returns a message to the shop, if all messages are of its kind; a queue shows no step. */
function onlyMessage(steps: readonly Step[]): Step | undefined {
  const messages = steps.filter((step) => isWebhook(step) || step.kind === 'return')
  return messages.every((step) => isWebhook(step) === isWebhook(messages[0]))
    ? messages[0]
    : undefined
}

const isWebhook = (step: Step | undefined): boolean =>
  step !== undefined && ['webhook', 'webhooks together', 'forged webhook'].includes(step.kind)

/** The last answer of the shop in a step was an error, or none. */
const hasFailed = ({ answers }: Step): boolean => {
  const last = answers.at(-1)
  return last !== undefined && (last >= 400 || last === 0)
}

/** @param paymentRef default: any order */
const countAfter = ({ orders = new Map() }: Step, paymentRef?: string): number =>
  Math.max(
    0,
    ...[...orders].map(([ref, order]) =>
      paymentRef === undefined || ref === paymentRef ? mostFulfilled(order) : 0,
    ),
  )

const showsRefund = ({ orders = new Map() }: Step): boolean =>
  [...orders.values()].some(({ refunded }) => Number(refunded) > 0)

const isShownPaid = ({ orders = new Map() }: Step): boolean =>
  [...orders.values()].some(({ paid }) => paid === true)

/** Failed cases with one cause, the simplest case first. */
export interface CauseGroup {
  readonly cause: string
  readonly says: string
  readonly fix: string
  readonly cases: readonly string[]
}

/** Groups failed cases by their cause, the cause with the most cases first. */
export function groupByCause(results: readonly FailedCase[]): readonly CauseGroup[] {
  const found = results.flatMap(({ mistake }) => mistake ?? [])
  const ids = new Set(found.map(({ id }) => id))
  const isBoth = ids.has('webhook-sends-again') && ids.has('return-sends-again')
  const groups = new Map<string, { readonly cause: Cause; readonly cases: FailedCase[] }>()
  for (const result of results) {
    if (!result.mistake) continue
    const cause = explain(result.mistake)
    const group = groups.get(cause.id) ?? { cause, cases: [] }
    group.cases.push(result)
    groups.set(cause.id, group)
  }
  return [...groups.values()]
    .toSorted((one, other) => other.cases.length - one.cases.length)
    .map(({ cause, cases }) => {
      const { id, says, fix, begin } = cause
      const isFirst = (result: FailedCase) => Number(result.case === begin)
      const length = ({ steps = [] }: FailedCase) => steps.length
      const sorted = cases.toSorted(
        (one, other) => isFirst(other) - isFirst(one) || length(one) - length(other),
      )
      return { cause: id, says, fix, cases: sorted.map((result) => result.case) }
    })

  /** Finds the cause that explains this one. */
  function explain(cause: Cause): Cause {
    if (isBoth && /^(?:webhook|return)-sends-again$/.test(cause.id)) return MESSAGE_CAUSE
    const larger = cause.partOf?.find((id) => ids.has(id))
    const other = found.find(({ id }) => id === larger)
    return other ? explain(other) : cause
  }
}

/** The parts of a result that are grouped. */
interface FailedCase {
  readonly case: string
  readonly mistake?: Cause
  readonly steps?: readonly unknown[]
}
