/**
 * The cases of the check. A row of a table is a case: its name, its events for the reader (`done`),
 * why they happen in production (`why`), and the steps that cause them. The table says how the
 * purchase begins and what the shop must do; a row can have its own `begin` or `must`. For example:
 *
 *     'webhook-twice': {
 *       done: 'The same webhook arrives twice.',
 *       why: 'A gateway that retries after a lost answer sends the webhook twice.',
 *       steps: [payer.pay, webhooks.release, webhooks.resend],
 *       also: [webhooks.mustBeAnswered], // judged after the `must` of the table, ONCE
 *     },
 *
 * A step is an `Action`: it gets the stage and the purchase. It throws `ShopFault` for a mistake of
 * the shop, and `NotCheckedError` if the plan lacks a part that it needs.
 */
import { CARD_CASES } from './cases/card.ts'
import { type CheckCase, createCases, NEVER, ONCE } from './cases/case.ts'
import { ORDER_CASES } from './cases/every-order.ts'
import { SUBSCRIPTION_CASES } from './cases/subscription.ts'
import { NotCheckedError } from './errors.ts'
import type { Purchase, StageFault } from './purchase.ts'
import { type Action, joinActions, type Stage, waitForQueue } from './stage.ts'
import * as orders from './steps/orders.ts'
import * as payer from './steps/payer.ts'
import * as staff from './steps/staff.ts'
import * as webhooks from './steps/webhooks.ts'

export type { CheckCase } from './cases/case.ts'

/** Number of orders with which simultaneous messages are tried. */
const RACES = 10

/**
 * Pays several orders, and sends the messages about each at the same time. The shop must fulfil each
 * other order once; the case judges its own.
 */
const raceMessages = (...messages: readonly Action[]): Action => {
  const act = joinActions(payer.pay, webhooks.deliverTogether(...messages), webhooks.lose)
  return async (stage, purchase) => {
    await act(stage, purchase)
    const others: Purchase[] = []
    while (others.length < RACES - 1) {
      const other = await payer.buy(stage)
      await act(stage, other)
      others.push(other)
    }
    await orders.mustBeFulfilledOnce(stage, ...others)
  }
}

const payTwiceTogether: Action = async (stage, purchase) => {
  const backs = await Promise.all([payer.pay(stage, purchase), payer.pay(stage, purchase)])
  await Promise.all(backs.map((back) => payer.visit(stage, back)))
}

const payOnTwoPages: Action = async (stage, purchase) => {
  const again = await payer.buyAgain(stage, purchase)
  await payer.payAndReturn(stage, purchase)
  await payer.payAndReturn(stage, again)
  await staff.mustBePaidOnce(stage, [purchase, again])
}

const payOnAnotherPage: Action = async (stage, purchase) =>
  payer.payAndReturn(stage, await payer.buyAgain(stage, purchase))

const payAnotherOrder: Action = async (stage) => payer.payAndReturn(stage, await payer.buy(stage))

/** A payer pays once, pays twice, or pays a different amount. */
const PAYMENT_CASES = createCases(
  { begin: payer.buy, must: ONCE },
  {
    plain: {
      done: 'The payer pays and returns; then the webhook arrives.',
      why: 'Most payments happen in this order.',
      steps: [payer.payAndReturn],
      also: [payer.mustSeePage, staff.mustBeCaptured],
    },
    'webhook-first': {
      done: 'The webhook arrives before the payer returns.',
      why: 'The gateway and the browser are different machines, and the gateway is often quicker.',
      steps: [payer.pay, webhooks.release, payer.openReturn],
      also: [payer.mustSeePage],
    },
    'payer-never-returns': {
      done: 'The payer pays and closes the browser; only the webhook arrives.',
      why: 'Phones lose their connection, and payers close the tab at the receipt.',
      steps: [payer.pay, webhooks.release],
      also: [webhooks.mustBeAccepted],
    },
    'webhook-never': {
      done: 'The payer pays and returns; the webhook is lost.',
      why: 'Firewalls, maintenance pages and expired certificates stop webhooks for hours.',
      steps: [payer.pay, webhooks.lose, payer.openReturn],
    },
    'double-click': {
      done: 'The payer presses Pay twice, and two tabs return.',
      why: 'Pages that load slowly are clicked again.',
      steps: [payTwiceTogether, webhooks.deliver],
    },
    declined: {
      done: 'The bank declines the card; the webhook about it arrives.',
      must: NEVER,
      why: 'A handler that fulfils on every webhook fulfils declined payments.',
      steps: [payer.payDeclined, webhooks.deliver, payer.openSuccessPage],
    },
    'declined-then-paid': {
      done: 'The bank declines the card, and the payer pays with another card.',
      why: 'Most payers try again after a decline.',
      steps: [payer.payDeclined, webhooks.deliver, waitForQueue, payer.payAndReturn],
    },
    'declined-then-retried': {
      done: "The bank declines the card; the payer presses the shop's button for another attempt, and pays.",
      why: 'Shops offer another attempt on the page of a failed order.',
      steps: [payer.payDeclined, webhooks.deliver, waitForQueue, payOnAnotherPage],
    },
    'paid-in-two-tabs': {
      done: 'The payer opens two payment pages for one order, and pays on both.',
      must: { ...ONCE, says: `Money is taken once. ${ONCE.says}` },
      why: 'Payers open a second tab when the first one seems to hang.',
      steps: [payOnTwoPages],
    },
    'order-changed': {
      done: 'The payer changes the order in another tab while the payment page is open, then pays the old amount.',
      must: {
        says: 'If the order is fulfilled, it shows the paid amount.',
        judge: orders.mustBeAsPaid,
      },
      why: 'Baskets stay open in a second tab.',
      steps: [payer.changeOrder, payer.payAndReturn],
    },
    'other-amount': {
      done: 'The payment is changed to 0.01, and the payer pays 0.01.',
      must: NEVER,
      why: 'Plug-ins and staff change payments, and forms contain amounts that payers can edit.',
      steps: [staff.changePayment(() => ({ amount: '0.01' })), payer.payAndReturn],
    },
    'other-currency': {
      done: 'The payment is changed to a cheaper currency, and the payer pays in that currency.',
      must: NEVER,
      why: 'Plug-ins for currencies change payments, and 100 yen are not 100 kronor.',
      steps: [
        staff.changePayment(({ currency }) => ({
          currency: currency.toLowerCase() === 'jpy' ? 'isk' : 'jpy',
        })),
        payer.payAndReturn,
      ],
    },
    'paid-after-31-minutes': {
      done: 'The payer opens the payment page, and pays after 31 minutes.',
      must: {
        says: `${ONCE.says} Or the shop refunds the payment.`,
        judge: staff.unlessRefunded(ONCE.judge),
      },
      why: 'Shops cancel unpaid orders after 30 minutes, and payers look for their card.',
      isAlone: true,
      steps: [staff.afterMinutes(31, payer.payAndReturn)],
    },
  },
)

/** Opens the return address of another order with the values of this payment. */
const returnToAnotherOrder: Action = async (stage, paid) => {
  const other = await payer.buy(stage)
  const own = new URL(payer.getReturnAddress(paid)).searchParams
  const added = [...new URL(await payer.pay(stage, paid)).searchParams].filter(
    ([name, value]) => !own.getAll(name).includes(value),
  )
  const forged = payer.withQuery(payer.getReturnAddress(other), Object.fromEntries(added))
  for (const address of [forged, payer.withQuery(forged, { payment_ref: other.payment_ref })]) {
    await payer.visit(stage, address, 'forged return')
    await orders.mustNotBeFulfilled(stage, other)
  }
}

/** The gateway answers no request about a payment. */
const DOWN = { kind: 'unavailable' } as const

/** The payer's browser arrives at the return address. */
const RETURN_CASES = createCases(
  { begin: payer.buy, must: ONCE },
  {
    'return-twice': {
      done: 'The payer opens the return address twice.',
      why: 'Payers reload the receipt, and browsers restore tabs.',
      steps: [payer.pay, payer.openReturn, payer.openReturn, webhooks.deliver],
    },
    'webhook-and-return-at-once': {
      done: 'The webhook arrives on two connections while the payer opens the return address in two tabs, for ten orders.',
      why: 'Webhook and redirect both start when the bank answers.',
      steps: [raceMessages(payer.openReturn, payer.openReturn)],
    },
    'return-unpaid': {
      done: 'A visitor opens the return address without paying, with a made-up status.',
      must: NEVER,
      why: 'The return address is in the page, and every visitor can type it.',
      steps: [payer.openSuccessPage, payer.openForgedReturn],
    },
    'return-then-paid': {
      done: 'The payer opens the return address before paying, then pays.',
      why: 'Browsers open addresses in advance, and payers press Back and Forward.',
      steps: [payer.openSuccessPage, waitForQueue, payer.payAndReturn],
    },
    'return-of-another-order': {
      done: 'The payer pays one order, then opens the return address of another order with the hash of the first.',
      must: {
        ...ONCE,
        says: 'The paid order is fulfilled once, and the other order is not fulfilled.',
      },
      why: 'If the shop does not compare the order, one cheap payment pays for any order.',
      steps: [returnToAnotherOrder, payer.openReturn, webhooks.deliver],
    },
    'return-after-decline': {
      done: 'The bank declines the card, and the payer opens the return address with status approved.',
      must: NEVER,
      why: 'A payer sees the address and its query in the browser.',
      steps: [payer.payDeclined, webhooks.deliver, payer.openForgedReturn],
    },
    'return-while-down': {
      done: 'A visitor opens the return address without paying, with a made-up status, while the gateway answers with status 503.',
      must: NEVER,
      why: 'If the shop trusts the return address while the gateway is down, every visitor can get goods.',
      isAlone: true,
      steps: [staff.whileReadsFail(DOWN, payer.openForgedReturn)],
    },
    'error-page-then-paid': {
      done: 'The payer opens the error address, goes back to the payment page and pays.',
      why: 'Payers press Back after an error, and pay on the page that is still open.',
      steps: [payer.payDeclined, payer.openErrorPage, waitForQueue, payer.payAndReturn],
    },
    'late-error-page': {
      done: 'The bank declines the card, and the payer pays with another card. Then the error address of the first attempt opens.',
      why: 'Browsers restore tabs, and slow tabs load after the payment.',
      steps: [payer.payDeclined, payer.payAndReturn, ONCE.judge, payer.openErrorPage],
    },
  },
)

/** Milliseconds that the gateway takes to answer a handler that reads a payment. */
const SLOW_MS = 500
const SLOW = { kind: 'latency', milliseconds: SLOW_MS } as const
const TOO_SLOW = { kind: 'latency', milliseconds: 2 * SLOW_MS } as const

/** Genuine webhooks arrive again, together, broken, or at a handler that fails. */
const WEBHOOK_CASES = createCases(
  { begin: payer.buy, must: ONCE },
  {
    'webhook-twice': {
      done: 'The same webhook arrives twice.',
      why: 'A gateway that retries after a lost answer sends the webhook twice.',
      steps: [payer.pay, webhooks.release, webhooks.resend],
      also: [webhooks.mustBeAnswered],
    },
    'webhook-later': {
      done: 'The same webhook arrives again after the webhook of another order.',
      why: 'After status 500, the gateway retries for days.',
      steps: [payer.pay, webhooks.release, payAnotherOrder, webhooks.resend],
    },
    'webhook-two-connections': {
      done: 'The same webhook arrives on two connections at the same time, for ten orders.',
      why: 'Two servers of a gateway can send the same delivery, and load balancers repeat requests.',
      steps: [raceMessages()],
    },
    'handler-slow': {
      done: 'The webhook arrives again while the handler still works on it.',
      why: 'Some services send a webhook again if the handler is too slow.',
      isAlone: true,
      steps: [payer.pay, staff.whileReadsFail(SLOW, webhooks.deliverTogether())],
    },
    'handler-too-slow': {
      done: 'The handler answers too late: the gateway closes the connection, and the webhook arrives again.',
      why: 'Some handlers send mails or call other services before they answer. Some servers stop a handler whose connection is closed.',
      isAlone: true,
      steps: [
        payer.pay,
        staff.whileReadsFail(TOO_SLOW, webhooks.interrupt(SLOW_MS), webhooks.release),
      ],
    },
    'handler-fails-first': {
      done: 'The gateway answers the requests of the handler with status 503. The third attempt of the webhook succeeds.',
      why: 'A handler depends on the gateway and on a database, and both can be down.',
      isAlone: true,
      steps: [
        payer.pay,
        staff.whileReadsFail(DOWN, webhooks.release, waitForQueue, webhooks.deliver, waitForQueue),
        webhooks.deliver,
      ],
    },
    'decline-arrives-last': {
      done: 'The bank declines the card, and the payer pays with another card. The webhook about the decline arrives last.',
      why: 'Webhooks can overtake each other: each has its own connection and its own retries.',
      steps: [payer.payDeclined, payer.pay, payer.openReturn, webhooks.releaseNewestFirst],
    },
    'webhook-cut': {
      done: 'Half of a webhook arrives, then the whole webhook.',
      why: 'Proxies and connections break.',
      steps: [payer.pay, webhooks.alter(['cut_body']), webhooks.release],
    },
    'clocks-apart': {
      done: "The gateway's clock is two minutes ahead of the shop's.",
      why: 'Clocks of servers differ by minutes when they are not synchronised.',
      steps: [
        payer.pay,
        webhooks.alter(['clock_ahead']),
        ONCE.judge,
        payer.openReturn,
        webhooks.deliver,
      ],
    },
    'webhook-unknown-order': {
      done: 'A genuine webhook names an order that the shop does not know.',
      must: { says: 'The shop answers, but not with status 500.', judge: webhooks.mustBeAnswered },
      why: 'Test and live shops share an account, and databases are restored. After status 500, the webhook arrives 20 times.',
      steps: [payer.pay, webhooks.alter(['unknown_order'])],
    },
  },
)

type Changes = Parameters<typeof webhooks.alter>[0]

/** A webhook reports a declined payment as approved. */
const forgeApproval = (...changes: Changes): readonly Action[] => [
  payer.payDeclined,
  orders.rememberOrder,
  webhooks.alter(['approved_status', ...changes]),
]

/** A copy arrives after the genuine webhook. */
const forgeCopy = (...changes: Changes): readonly Action[] => [
  payer.pay,
  webhooks.release,
  ONCE.judge,
  orders.rememberOrder,
  webhooks.alter(changes),
]

const COPY_CHANGES_NOTHING = { ...ONCE, says: `The copy changes nothing. ${ONCE.says}` }

/** Sends the webhook of a paid order with the payment_ref of another order. */
const requireOtherOrderUnpaid: Action = async (stage, paid) => {
  const other = await payer.buy(stage)
  await payer.pay(stage, paid)
  await webhooks.alter(['other_order'], other)(stage, paid)
  await orders.mustNotBeFulfilled(stage, other)
}

const STORED = 'A handler that stores unverified data stores the data of an attacker.'

/** An attacker sends webhooks. */
const FORGED_CASES = createCases(
  { begin: payer.buy, must: NEVER, also: [orders.mustBeAsRemembered] },
  {
    'webhook-forged-status': {
      done: 'A webhook about a declined payment arrives with status approved.',
      why: 'An attacker can post to the address of a webhook.',
      steps: forgeApproval(),
    },
    'webhook-unsigned': {
      done: 'A webhook with status approved arrives without signature headers.',
      why: 'Some handlers verify the signature only of signed webhooks, and accept unsigned ones.',
      steps: forgeApproval('no_signature'),
    },
    'webhook-wrong-key': {
      done: 'A webhook with status approved arrives, signed with another key.',
      why: 'Some handlers read the signature but do not compare it.',
      steps: forgeApproval('wrong_signature'),
    },
    'webhook-of-another-merchant': {
      done: 'A webhook with status approved arrives, with the id of another merchant.',
      why: 'An attacker can have an account at the same gateway, with similar webhooks.',
      steps: forgeApproval('other_merchant'),
    },
    'webhook-same-secret': {
      done: 'A webhook with status approved arrives from another merchant with the same secret, with a valid signature of that merchant.',
      why: 'Some companies have two accounts with one secret, and some handlers take merchant_id from the webhook.',
      steps: forgeApproval('same_secret'),
    },
    'webhook-live': {
      done: 'A genuine webhook with status approved arrives whose test flag is not the test flag of the shop.',
      why: 'Test and live payments of one account use the same address: a test payment moves no money.',
      steps: forgeApproval('live_payment'),
    },
    'webhook-of-another-order': {
      done: 'The webhook of a paid order arrives with the payment_ref of an order that is not paid.',
      why: 'If the shop does not compare the order, one cheap payment pays for any order.',
      must: { says: 'The unpaid order is not fulfilled.', judge: requireOtherOrderUnpaid },
      also: [],
    },
    'webhook-forged-amount': {
      done: 'The genuine webhook arrives, then a forged webhook with another amount.',
      must: COPY_CHANGES_NOTHING,
      why: STORED,
      steps: forgeCopy('other_amount'),
    },
    'webhook-forged-currency': {
      done: 'The genuine webhook arrives, then a forged webhook with another currency.',
      must: COPY_CHANGES_NOTHING,
      why: STORED,
      steps: forgeCopy('other_currency'),
    },
    'webhook-stale': {
      done: 'The genuine webhook arrives, then a correctly signed copy whose timestamp is one day old.',
      must: COPY_CHANGES_NOTHING,
      why: 'Anyone who reads a log can send a recorded webhook again.',
      steps: forgeCopy('old_timestamp'),
    },
  },
)

/** The bank asks the payer (3-D Secure). */
const BANK_CASES = createCases(
  { begin: payer.buy, first: [payer.payChallenged], must: ONCE },
  {
    'bank-approves': {
      done: 'The bank asks the payer for a code; the payer enters it and returns.',
      why: 'Most card payments in Europe are authenticated like this.',
      steps: [payer.giveBankCode, payer.openReturn, webhooks.deliver],
    },
    'bank-cancelled': {
      done: 'The payer cancels at the bank and opens the return address.',
      must: NEVER,
      why: 'Payers have no code at hand, or change their mind.',
      steps: [payer.cancelAtBank, webhooks.deliver, payer.openSuccessPage],
    },
    'bank-window-closed': {
      done: "The payer closes the bank's page, and opens the return address.",
      must: NEVER,
      why: 'Payers close pages that they do not understand, and the shop gets no message.',
      steps: [webhooks.deliver, payer.openSuccessPage],
    },
    'bank-late': {
      done: 'The payer opens the return address before answering the bank; then the bank approves.',
      why: "The bank asks in its app, and the payer returns to the shop's tab before opening the app.",
      steps: [payer.openSuccessPage, waitForQueue, payer.giveBankCode, webhooks.release],
    },
    'back-from-bank': {
      done: 'The payer goes Back from the bank to the shop, then pays with another card.',
      why: "Payers change the card if the bank's questions take too long.",
      steps: [payer.openSuccessPage, waitForQueue, payer.payAndReturn],
    },
  },
)

/** Buys again after the gateway failed during the first attempt. */
const buyAfterFault = (fault: StageFault) => async (stage: Stage) => {
  await staff.duringFault(stage, fault, () => payer.tryToBuy(stage))
  return payer.buy(stage)
}

/** The gateway does not answer as it should. */
const SERVICE_CASES = createCases(
  {
    begin: payer.buy,
    must: { ...ONCE, says: `The shop answers, but not with status 500. ${ONCE.says}` },
    steps: [payer.payAndReturn],
  },
  {
    'service-down': {
      done: 'When the shop prepares a payment, the gateway answers with status 503. The payer tries again.',
      why: 'Every service is down at some time.',
      begin: buyAfterFault({ kind: 'unavailable' }),
    },
    'service-limits': {
      done: 'When the shop prepares a payment, the gateway answers with status 429 and Retry-After. The payer tries again.',
      why: 'Sales and crawlers make more requests than a service accepts.',
      begin: buyAfterFault({ kind: 'rate_limit' }),
    },
    'service-slow': {
      done: 'When the shop prepares a payment, the gateway takes a second. The payer tries again.',
      why: 'Services are slow during sales.',
      begin: buyAfterFault({ kind: 'latency', milliseconds: 1_000 }),
    },
    'answer-lost': {
      done: 'When the shop prepares a payment, the gateway carries out the request, but its answer is lost. The payer tries again.',
      why: 'Connections break after the request has arrived.',
      begin: buyAfterFault({ kind: 'drop' }),
    },
    'answer-late': {
      done: 'When the shop prepares a payment, the gateway carries out the request, but its answer arrives a second late. The payer tries again.',
      why: 'A network can be slow in one direction only.',
      begin: buyAfterFault({ kind: 'late_answer', milliseconds: 1_000 }),
    },
    'answer-cut': {
      done: 'When the shop prepares a payment, half of the answer arrives. The payer tries again.',
      why: 'Proxies and connections break.',
      begin: buyAfterFault({ kind: 'cut_answer' }),
    },
    'answer-html': {
      done: 'When the shop prepares a payment, a proxy answers with status 502 and an HTML page. The payer tries again.',
      why: 'Proxies answer in HTML, not in JSON.',
      begin: buyAfterFault({ kind: 'bad_gateway' }),
    },
  },
)

const SUPPORT = 'Support staff refund in the dashboard of the gateway, and not in the shop.'

const REFUNDED = { says: 'The order shows the refunded amount.', judge: orders.mustBeRefunded }

const refundAndDeliver = (part: number) => joinActions(staff.refundPart(part), webhooks.deliver)

/** Money is refunded. */
const REFUND_CASES = createCases(
  { begin: payer.buy, must: REFUNDED },
  {
    refund: {
      done: 'Half of the payment is refunded in the dashboard.',
      why: SUPPORT,
      steps: [payer.payAndReturn, refundAndDeliver(0.5)],
    },
    'refund-full': {
      done: 'The whole payment is refunded in the dashboard.',
      why: SUPPORT,
      steps: [payer.payAndReturn, refundAndDeliver(1)],
    },
    'refund-in-parts': {
      done: 'Two parts of the payment are refunded in the dashboard.',
      must: { ...REFUNDED, says: 'The order shows the sum of both refunds.' },
      why: 'Payers return one item after the other.',
      steps: [payer.payAndReturn, refundAndDeliver(0.2), refundAndDeliver(0.3)],
    },
    'refund-webhook-twice': {
      done: 'Half of the payment is refunded, and the webhook about it arrives twice.',
      must: { ...REFUNDED, says: 'The order shows the refunded amount once.' },
      why: 'A gateway that retries after a lost answer sends the webhook twice.',
      steps: [payer.payAndReturn, refundAndDeliver(0.5), webhooks.ifAny(webhooks.resend)],
    },
  },
)

/** Skips the case if the shop captured the reservation automatically; `false`: if it did not. */
const skipIfCaptured =
  (isSkipped: boolean, says: string): Action =>
  async (stage, purchase) => {
    const isCaptured = (await staff.readStatus(stage, purchase)) !== 'authorized'
    if (isCaptured === isSkipped) throw new NotCheckedError(says)
  }

const skipUnlessReserved = skipIfCaptured(
  true,
  'The shop captured the reservation by itself: see the case capture-fails-at-once.',
)
const skipUnlessCaptured = skipIfCaptured(
  false,
  'The shop does not capture reservations by itself: see the case capture-fails.',
)

/** The gateway releases a reservation, or its capture fails. */
const RESERVATION_CASES = createCases(
  {
    begin: payer.buyWithReservation,
    must: { says: 'The order is not shown as paid.', judge: orders.mustNotBePaid },
  },
  {
    void: {
      done: 'A reservation is released in the dashboard.',
      why: 'Support releases reservations of orders that cannot be sent.',
      steps: [payer.payAndReturn, skipUnlessReserved, refundAndDeliver(1)],
    },
    'capture-fails': {
      done: 'The bank declines a capture after an hour.',
      why: 'Reservations expire after some days, and cards are blocked.',
      isAlone: true,
      steps: [payer.payAndReturn, skipUnlessReserved, staff.captureAndDecline, webhooks.deliver],
    },
    'capture-fails-at-once': {
      done: 'The shop captures the reservation by itself as soon as it is paid, and the bank declines the capture.',
      must: { ...NEVER, says: 'The order is neither shown as paid nor fulfilled.' },
      why: 'A reservation is not a payment: the bank can decline its capture.',
      isAlone: true,
      steps: [staff.whileCaptureFails(payer.payAndReturn, skipUnlessCaptured), webhooks.deliver],
    },
  },
)

/** Cases by topic, in the order in which they run. */
export const CASE_GROUPS: Readonly<Record<string, readonly CheckCase[]>> = {
  Payments: PAYMENT_CASES,
  'The way back to the shop': RETURN_CASES,
  Webhooks: WEBHOOK_CASES,
  'Forged webhooks': FORGED_CASES,
  '3-D Secure': BANK_CASES,
  'Failures of the service': SERVICE_CASES,
  'Captures and refunds': [...REFUND_CASES, ...RESERVATION_CASES],
  Subscriptions: SUBSCRIPTION_CASES,
  'Cards on the server of the shop': CARD_CASES,
  'Every order of events': ORDER_CASES,
}

/** In the order in which they run. */
export const CASES: readonly CheckCase[] = Object.values(CASE_GROUPS).flat()
