import type { Violation } from './errors.ts'
import type { CaseFacts, Evidence } from './evidence.ts'

/** Why a shop fails: several cases can fail for one cause. */
export interface Cause {
  readonly id: string
  /** The mistake, in one sentence. */
  readonly says: string
  /** How shops fix it. */
  readonly fix: string
  /** Causes that also explain its cases, if they are found too. */
  readonly partOf?: readonly string[]
}

interface CauseRow extends Omit<Cause, 'id'> {
  /** Other rules whose violation it explains too. */
  readonly also?: readonly Violation[]
  /** Decides from the failure, and from the other cases. Default: every failure of these rules. */
  readonly when?: (evidence: Evidence, cases: CaseFacts) => boolean
}

/** Fixes that several causes recommend. */
export const REMEMBER =
  'Fulfil in one conditional update, such as UPDATE orders SET paid = 1 WHERE ref = ? AND paid = 0, and only if it changed a row.'
export const BOTH_WAYS =
  'Mark the order as paid in one function that both the webhook handler and the return page call.'
export const ASK =
  'Read the transaction from the gateway and fulfil only if status, payment_ref, amount and currency match.'
export const STAY_OPEN =
  'Do not close an order after a declined payment: the payer can still pay it.'
export const CATCH = 'Catch errors of the API call and show a page that lets the payer try again.'
const VERIFY = `Verify webhook-signature or response_hash. ${ASK}`
const BY_ID = 'Fulfil a period by the id of its approved transaction.'
const LOCK =
  'Fulfil in one conditional update, such as UPDATE orders SET paid = 1 WHERE ref = ? AND paid = 0, and only if it changed a row: two processes then cannot both send the goods.'
const SUM = 'Read the refunds of the transaction at every message, and show their sum.'

const SENT_AGAIN = [
  'webhook-forgotten',
  'webhook-and-return-send',
  'webhook-after-return-sends',
  'message-sends-again',
  'return-sends-again',
  'webhook-sends-again',
]
/** Causes that also explain a webhook that is believed for another reason. */
const FORGED = ['webhook-believed', 'declined-fulfilled']
/** Causes for which the shop never learns that the order is paid. */
const NOT_NOTICED = ['paid-ignored', 'amount-as-text', 'currency-as-text']

/**
 * Causes by the rule that a shop violates, and by their ids. The first row that fits a failure is its
 * cause: the last row of each rule fits every failure.
 */
const CAUSES: Readonly<Record<Violation, Readonly<Record<string, CauseRow>>>> = {
  'fulfilled again': {
    'failed-charge-counted': {
      also: ['fulfilled unpaid'],
      when: ({ violation, isCharge, facts: { periods } }) =>
        violation === 'fulfilled unpaid'
          ? isCharge
          : periods?.counted === periods?.made && !!periods,
      says: 'The shop fulfils a charge that the bank declined.',
      fix: BY_ID,
    },
    'charge-counted-again': {
      when: ({ isCharge }) => isCharge,
      says: 'Every webhook about a charge fulfils it again.',
      fix: BY_ID,
    },
    'fails-after-sending': {
      when: ({ again }) => again.afterError,
      says: 'The webhook handler sends the goods and then answers with an error, so the gateway sends the webhook again.',
      fix: `Answer with status 200 as soon as the order is stored as paid, and work afterwards. ${REMEMBER}`,
    },
    'old-webhook': {
      when: ({ isChanged }, { failed }) => isChanged('old_timestamp') && !failed('webhook-twice'),
      says: 'A recorded webhook that is one day old sends the goods again.',
      fix: `Reject a webhook-timestamp that is more than five minutes off. ${REMEMBER}`,
    },
    race: {
      when: isRace,
      says: 'Two messages that arrive at the same time both send the goods.',
      fix: LOCK,
      partOf: SENT_AGAIN,
    },
    'sent-again-after-refund': {
      when: ({ has }, { failed }) => has('refund') && !failed('webhook-twice') && !failed('plain'),
      says: 'A message after a refund sends the goods again.',
      fix: `Keep the mark of the fulfilment apart from the status, which a refund changes. ${REMEMBER}`,
    },
    'webhook-forgotten': {
      when: ({ again }, { failed, passed }) =>
        passed('webhook-twice')
          ? failed('webhook-later')
          : again.byWebhookAfterOther && !failed('webhook-twice'),
      says: 'The shop recognises a repeated webhook only until the webhook of another order.',
      fix: 'Keep the webhook-id of every webhook with its order, not only the last one.',
    },
    'webhook-and-return-send': {
      when: (_evidence, { failed, passed }) =>
        passed('webhook-twice') && failed('plain') && !passed('webhook-first'),
      says: 'The webhook and the return of the payer each send the goods: they do not share one mark.',
      fix: `${BOTH_WAYS} ${REMEMBER}`,
    },
    'webhook-after-return-sends': {
      when: (_evidence, { failed, passed }) =>
        passed('webhook-twice') && failed('plain') && passed('webhook-first'),
      says: 'A webhook sends the goods again after the return of the payer has sent them.',
      fix: `${BOTH_WAYS} ${REMEMBER}`,
    },
    'message-sends-again': {
      when: ({ again }, { failed, passed }) =>
        failed('webhook-twice')
          ? failed('webhook-first', (other) => !other.again.byWebhook) ||
            (!again.byWebhook && !passed('webhook-first'))
          : !passed('webhook-twice') && !again.byWebhook && !again.byReturn,
      says: 'Every message sends the goods again: each webhook and each return of the payer.',
      fix: REMEMBER,
    },
    'webhook-sends-again': {
      when: ({ again }, { failed, passed }) =>
        failed('webhook-twice') || (again.byWebhook && !passed('webhook-twice')),
      says: 'Every webhook sends the goods again.',
      fix: REMEMBER,
    },
    'return-sends-again': {
      when: ({ again }, { failed }) =>
        again.byReturn || failed('return-twice') || failed('webhook-first'),
      says: 'Every return of the payer sends the goods again.',
      fix: REMEMBER,
    },
    'order-closed-later': {
      also: ['not fulfilled', 'not shown as paid'],
      when: ({ violation, isCharge, wasFulfilled, again, has }) =>
        violation === 'not fulfilled'
          ? wasFulfilled && !isCharge
          : has('decline') && !again.byReturn,
      says: 'A late message about a declined attempt closes a paid order.',
      fix: 'Read the transaction from the gateway: a message contains the state at its event, not the current state.',
      partOf: ['order-closed'],
    },
    'sent-again': {
      says: 'The shop sends the goods of a fulfilled order again.',
      fix: REMEMBER,
    },
  },
  'fulfilled unpaid': {
    'amount-not-compared': {
      when: ({ has }) => has('changed amount'),
      says: 'The shop does not compare the paid amount with the order.',
      fix: ASK,
      partOf: ['webhook-believed', 'return-believed'],
    },
    'currency-not-compared': {
      when: ({ has }) => has('changed currency'),
      says: 'The shop does not compare the paid currency with the order.',
      fix: ASK,
      partOf: ['webhook-believed', 'return-believed'],
    },
    'sent-before-capture': {
      when: ({ has }) => has('declined capture'),
      says: 'The shop sends the goods before its capture of the reservation has succeeded.',
      fix: 'Fulfil after the capture: read the status of the transaction, and wait while it is capture pending.',
    },
    'sent-before-answer': {
      when: ({ fulfilledBy }) => fulfilledBy === 'press declined',
      says: 'The shop sends the goods before the bank has approved the card.',
      fix: 'Fulfil after the answer of the gateway, and only if its status is approved.',
    },
    'unsigned-webhook': {
      when: ({ isChanged }) => isChanged('no_signature'),
      says: 'The shop believes a webhook without a signature.',
      fix: `Reject a webhook without a signature. ${ASK}`,
      partOf: FORGED,
    },
    'wrong-signature': {
      when: ({ isChanged }) => isChanged('wrong_signature'),
      says: 'The shop does not compare the signature of a webhook.',
      fix: VERIFY,
      partOf: FORGED,
    },
    'test-not-compared': {
      when: ({ isChanged }) => isChanged('live_payment'),
      says: 'The shop does not compare the test flag of the payment with its own.',
      fix: 'Compare test with your own setting: a test payment moves no money.',
      partOf: FORGED,
    },
    'other-merchant': {
      when: ({ isChanged }) => isChanged('other_merchant') || isChanged('same_secret'),
      says: "The shop believes a webhook about another merchant's payment.",
      fix: `Compare merchant_id with your own. ${VERIFY}`,
      partOf: FORGED,
    },
    'other-order': {
      when: ({ isChanged }) => isChanged('other_order'),
      says: 'The shop believes a webhook that names another order.',
      fix: VERIFY,
      partOf: FORGED,
    },
    'webhook-believed': {
      when: ({ fulfilledBy }) => fulfilledBy === 'forged webhook',
      says: 'The shop believes a forged webhook: it does not verify the signature.',
      fix: VERIFY,
      partOf: ['declined-fulfilled'],
    },
    'return-believed-while-down': {
      when: ({ fulfilledBy, has }) => fulfilledBy === 'forged return' && has('fault'),
      says: 'The shop believes its return address while the gateway does not answer.',
      fix: 'While the gateway does not answer, fulfil nothing. The webhook arrives later.',
      partOf: ['return-believed'],
    },
    'payment-of-another-order': {
      when: ({ fulfilledBy, has }) => fulfilledBy === 'forged return' && has('pay'),
      says: 'The return address accepts the payment of another order.',
      fix: ASK,
      partOf: ['return-believed'],
    },
    'return-believed': {
      when: ({ fulfilledBy, has }, { passed }) =>
        !passed('return-unpaid') &&
        (fulfilledBy === 'forged return' ||
          (fulfilledBy === 'return' && !has('pay') && !has('decline'))),
      says: 'The shop believes its return address, which every visitor can type.',
      fix: ASK,
    },
    'declined-fulfilled': {
      says: 'The shop fulfils an order whose payment was declined or is not finished.',
      fix: 'Fulfil only if status is approved (or authorized, if you capture later).',
      partOf: ['return-believed'],
    },
  },
  'changed by a forgery': {
    'webhook-stored': {
      also: ['wrong amount', 'wrong currency'],
      when: ({ has }) => has('forged webhook'),
      says: 'The shop stores the data of an unverified webhook.',
      fix: 'Verify the signature before you store anything, and keep the amount and currency of the order.',
      partOf: FORGED,
    },
  },
  'wrong amount': {
    'amount-in-hundredths': {
      also: ['wrong refund'],
      when: ({ violation, facts: { order, purchase }, refund }) =>
        violation === 'wrong refund'
          ? refund.shown === 100 * refund.sum
          : Number(order?.amount) === 100 * Number(purchase?.amount),
      says: 'The order shows amounts in hundredths.',
      fix: 'Name members of the order with two decimals in the plan, such as 100.00.',
    },
    'charge-amount': {
      also: ['wrong currency'],
      when: ({ isCharge }) => isCharge,
      says: 'The order of a renewal does not show the amount and currency of its charge.',
      fix: 'Copy amount and currency of the charge into the order of the renewal.',
    },
    'changed-order-paid': {
      says: 'The shop does not compare the paid amount with the order.',
      fix: ASK,
      partOf: ['amount-not-compared'],
    },
  },
  'wrong currency': {
    'currency-shown': {
      says: 'The order shows another currency than was paid.',
      fix: 'Keep the currency of the order, and compare the paid currency with it.',
      partOf: ['currency-not-compared'],
    },
  },
  'shown as paid': {
    'void-ignored': {
      when: ({ has }) => has('refund'),
      says: 'The shop still shows an order as paid after its reservation was released.',
      fix: 'Add a webhook with trigger refund: a refund of an authorized transaction releases the whole reservation.',
    },
    'failed-capture-ignored': {
      says: 'The shop shows an order as paid although its capture was declined.',
      fix: 'Read the status of the transaction at every webhook. If it changes from capture pending to failed, the order is not paid.',
    },
  },
  'captured another amount': {
    'captured-other-amount': {
      says: 'The shop captures another amount than the order costs.',
      fix: 'Capture the amount of the order, with taxes and delivery.',
    },
  },
  'not fulfilled': {
    'charge-webhook-fails': {
      when: ({ isCharge, after }) => isCharge && after.webhookFailed,
      says: 'The webhook handler answers a webhook about a charge with an error.',
      fix: 'Find the order of a charge by subscription.id: each charge has a payment_ref of its own.',
    },
    'charge-ignored': {
      when: ({ isCharge }, { passed }) => isCharge && !passed('subscription-charged'),
      says: 'The shop does not fulfil a charge of a subscription.',
      fix: 'Add a webhook with trigger recurring_success, and find the order by subscription.id.',
    },
    'late-charge-ignored': {
      when: ({ isCharge }) => isCharge,
      says: 'The shop ignores the webhook of an older charge that arrives after a newer one.',
      fix: BY_ID,
    },
    'money-without-order': {
      also: ['wrong answer'],
      when: ({ isCard, has }) => isCard && has('fault') && !has('press declined'),
      says: 'The shop treats a failed call of the gateway as a declined card, although money was taken.',
      fix: 'After an error, read the transactions with the payment_ref of the order before you answer the payer.',
    },
    'clock-compared': {
      when: ({ isChanged, after }) => isChanged('clock_ahead') && after.lastWebhookFailed,
      says: 'The shop rejects a webhook because its clock is two minutes ahead.',
      fix: 'Allow five minutes between webhook-timestamp and your clock, in both directions.',
      partOf: ['webhook-fails'],
    },
    'broken-webhook': {
      when: ({ isChanged }) => isChanged('cut_body'),
      says: 'After half of a webhook, the shop ignores the whole webhook.',
      fix: 'Answer with status 400 to an unreadable body, and mark nothing as done.',
      partOf: ['paid-ignored', 'webhook-ignored', 'webhook-fails', 'amount-as-text'],
    },
    'interrupted-webhook': {
      when: ({ has }) => has('interrupted webhook'),
      says: 'After a webhook whose connection was closed, the shop ignores the same webhook.',
      fix: 'Mark a webhook as handled in the same transaction as its order, after the work.',
      partOf: ['webhook-ignored', 'webhook-fails', ...NOT_NOTICED],
    },
    'marked-too-early': {
      when: ({ after }) => after.acceptedAfterFailure,
      says: 'The shop marks a webhook as handled before its work has succeeded, and ignores the next attempt.',
      fix: 'Store the webhook-id in the same transaction as the order, after the work.',
      partOf: ['webhook-ignored', ...NOT_NOTICED],
    },
    'webhook-fails': {
      when: ({ after }) => after.lastWebhookFailed,
      says: 'The webhook handler answers a genuine webhook with an error.',
      fix: 'Find the error in the log of the shop, at the time of the step.',
    },
    'error-hidden': {
      when: ({ after }) => after.hasFault,
      says: 'The webhook handler answers with success although it could not finish.',
      fix: 'Answer with status 500 if the handler could not finish. The gateway sends a webhook again after status 500 only.',
      partOf: ['webhook-ignored', ...NOT_NOTICED],
    },
    'order-closed': {
      when: ({ before }) => before.hasAttempt,
      says: 'The shop closes an order that the payer can still pay.',
      fix: STAY_OPEN,
      partOf: ['webhook-fails', ...NOT_NOTICED],
    },
    'return-ignored': {
      when: ({ after }) => !after.hasWebhook && after.hasReturn,
      says: 'The return of the payer alone does not fulfil the order.',
      fix: BOTH_WAYS,
      partOf: NOT_NOTICED,
    },
    'webhook-ignored': {
      when: ({ after }) => after.hasWebhook && !after.hasReturn,
      says: 'The webhook alone does not fulfil the order.',
      fix: 'Fulfil from the webhook, not only from the return address.',
      partOf: NOT_NOTICED,
    },
    'late-payment-ignored': {
      when: ({ before }) => before.isLate,
      says: 'The shop ignores a payment that arrives 31 minutes after the order, and does not refund it.',
      fix: 'Keep the order payable as long as its payment page, or refund a payment that arrives later.',
      partOf: NOT_NOTICED,
    },
    'amount-as-text': {
      when: ({ facts: { order, purchase } }, { passed }) =>
        !passed('plain') && order?.amount !== undefined && order.amount !== purchase?.amount,
      says: 'The shop compares amounts as text.',
      fix: 'Compare amounts as numbers of hundredths: "100" and "100.00" are equal.',
    },
    'currency-as-text': {
      when: ({ facts: { order, purchase } }, { passed }) =>
        !passed('plain') && order?.currency !== undefined && order.currency !== purchase?.currency,
      says: 'The shop compares currencies letter by letter.',
      fix: 'Compare currencies in lower case: "SEK" and "sek" are equal.',
    },
    'paid-ignored': {
      says: 'The shop does not fulfil a paid order, although it was informed.',
      fix: BOTH_WAYS,
    },
  },
  'not shown as paid': {
    'not-shown-as-paid': {
      says: 'The shop fulfils an order and does not show it as paid.',
      fix: 'Mark the order as paid in the update that fulfils it. If the shop does so, name all values of "paid" in the plan.',
    },
  },
  'no answer to a webhook': {
    'webhooks-wait-for-each-other': {
      when: ({ has }) => has('webhooks together'),
      says: 'Two webhooks of one order wait for each other until the time limit.',
      fix: 'Take locks in the same order in every handler, and let the second webhook wait for one lock only.',
      partOf: ['webhooks-wait'],
    },
    'webhooks-wait': {
      says: 'The shop does not answer a webhook in time.',
      fix: 'Answer first and work afterwards. Do not wait for another webhook of the order inside a lock.',
    },
  },
  'rejected webhook': {
    'unknown-order-fails': {
      when: ({ isChanged }) => isChanged('unknown_order'),
      says: 'The webhook handler fails if it does not know the order, so the gateway sends the webhook 20 times.',
      fix: 'Answer with status 200 or 404 if the order is unknown.',
      partOf: ['error-after-success', 'fails-after-sending'],
    },
    'repeat-fails': {
      also: ['wrong refund'],
      when: ({ violation, has, refund }) =>
        violation === 'wrong refund' ? refund.webhookFailed : has('webhook again'),
      says: 'The webhook handler fails if the order is paid already, so the gateway sends the webhook 20 times.',
      fix: 'Answer with status 200 to a webhook that you have handled, and capture only an authorized transaction.',
      partOf: ['error-after-success', 'fails-after-sending'],
    },
    'error-after-success': {
      says: 'The webhook handler fulfils the order and answers with an error.',
      fix: 'Answer with status 200 as soon as the order is stored as paid, and work afterwards.',
      partOf: ['fails-after-sending'],
    },
  },
  'no answer': {
    'service-slow': {
      when: ({ isChanged }) => isChanged('latency') || isChanged('late_answer'),
      says: 'The shop breaks if the gateway is slow.',
      fix: 'Wait at least ten seconds for the gateway, and send the same payment_ref with the next attempt.',
      partOf: ['service-error'],
    },
    'service-error': {
      when: ({ has }) => has('fault'),
      says: 'The shop breaks if the gateway fails.',
      fix: `${CATCH} Do not answer with status 500.`,
    },
    'return-fails': {
      when: ({ has }) => has('return'),
      says: 'The return page fails for a payer who has paid.',
      fix: 'If the order is paid already, show the receipt. Do not capture or fulfil again.',
      partOf: ['repeat-fails'],
    },
    'no-answer': {
      says: 'The shop does not answer the payer.',
      fix: 'Find the error in the log of the shop, at the time of the step.',
    },
  },
  'wrong answer': {
    'decline-shown-as-paid': {
      says: 'The shop tells the payer that a declined card has paid.',
      fix: 'Answer with status 402 after a decline, and show the form again.',
    },
  },
  'paid twice': {
    'new-reference': {
      says: 'The shop creates another payment_ref for a repeated attempt, so the payer pays twice.',
      fix: 'Create the payment_ref with the order, and send it with every attempt: the gateway then takes money once.',
    },
  },
  'not paid': {
    'stored-card-not-paid': {
      when: ({ has }) => has('press stored'),
      says: 'The shop cannot pay with the card that it has stored.',
      fix: 'Keep the token of the stored card with the payer, and send it as card_number with card_type STORED_CARD.',
    },
    'card-not-paid': {
      says: 'The shop takes no money for a card that the bank approves.',
      fix: 'Send the card to the gateway, and find the error in the log of the shop, at the time of the step.',
    },
  },
  'stored cards': {
    'stored-again': {
      says: 'The shop does not store the card exactly once.',
      fix: 'Send store_card with the payment. Do not store the card in a second call.',
    },
  },
  'wrong refund': {
    'refund-unknown': {
      when: ({ refund }) => refund.shown === 0 && !refund.hasWebhook,
      says: 'The shop has no webhook about refunds.',
      fix: 'Add a webhook with trigger refund, and read the refunds of the transaction.',
      partOf: NOT_NOTICED,
    },
    'refund-lost': {
      when: ({ refund }) => refund.shown === 0 && refund.wasShown,
      says: 'A later message resets the refunded amount.',
      fix: SUM,
      partOf: ['refund-ignored'],
    },
    'refund-ignored': {
      when: ({ refund }) => refund.shown === 0,
      says: 'The shop does not read the refunds of the transaction.',
      fix: SUM,
      partOf: ['webhook-ignored', 'webhook-fails', ...NOT_NOTICED],
    },
    'refund-whole': {
      when: ({ facts: { purchase }, refund }, { failed }) =>
        refund.shown === Number(purchase?.amount) &&
        (refund.messages === 1 || failed('refund')) &&
        !failed('refund-full'),
      says: 'The shop shows every refund as a refund of the whole payment.',
      fix: 'Store the sum of the refunds of the transaction: a refund can be a part of the payment.',
    },
    'refund-first': {
      when: ({ refund }) => refund.parts.length > 1 && refund.shown === refund.parts[0],
      says: 'The shop shows the first refund instead of the sum.',
      fix: 'Store the sum of all refunds of the transaction, not the first one.',
    },
    'refund-last': {
      when: ({ refund }) => refund.parts.length > 1 && refund.shown === refund.parts.at(-1),
      says: 'The shop shows the last refund instead of the sum.',
      fix: 'Store the sum of all refunds of the transaction, not the last one.',
    },
    'refund-added': {
      when: ({ refund }) => refund.shown > refund.sum && refund.messages > 1,
      says: 'Every webhook about a refund is added again.',
      fix: 'Store the sum of all refunds of the transaction. Do not add the amount of each webhook.',
    },
    'refund-wrong': {
      says: 'The shop shows another amount than was refunded.',
      fix: SUM,
    },
  },
}

/** Causes with their ids, in the order of the table. */
export const CAUSE_LIST = Object.entries(CAUSES).flatMap(([violation, rows]) =>
  Object.entries(rows).map(([id, { also = [], ...row }]) => ({
    ...{ id, ...row },
    on: [violation, ...also],
  })),
)

/** Finds a cause of the table by its id. */
export const findCauseById = (id: string): Cause | undefined =>
  CAUSE_LIST.find((cause) => cause.id === id)

/** Finds the cause of a failure. */
export const findCause = (evidence: Evidence, cases: CaseFacts): Cause =>
  CAUSE_LIST.find(
    ({ on, when }) => on.includes(evidence.violation) && (when?.(evidence, cases) ?? true),
  ) as Cause

/** Two messages that arrive together are both handled; one after the other, they are not. */
function isRace({ again, has }: Evidence, { passed }: CaseFacts) {
  if (again.by === 'webhooks together' || has('interrupted webhook')) return true
  if (again.byReturn && passed('return-twice') && passed('webhook-first')) return true
  return passed('clocks-apart') && !passed('webhook-twice') && !again.inSequence
}
