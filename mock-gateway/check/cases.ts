import { CARD_CASES } from './cases/card.ts'
import { type CheckCase, createCases, NEVER, ONCE } from './cases/case.ts'
import { ORDER_CASES } from './cases/every-order.ts'
import { SUBSCRIPTION_CASES } from './cases/subscription.ts'
import { NotCheckedError } from './errors.ts'
import type { Purchase, StageFault } from './purchase.ts'
import { type Action, joinActions, waitForQueue } from './stage.ts'
import {
  mustBeAsPaid,
  mustBeAsRemembered,
  mustBeFulfilledOnce,
  mustBeRefunded,
  mustNotBeFulfilled,
  mustNotBePaid,
  rememberOrder,
} from './steps/orders.ts'
import {
  buy,
  buyAgain,
  buyWithReservation,
  cancelAtBank,
  changeOrder,
  giveBankCode,
  mustSeePage,
  openErrorPage,
  openForgedReturn,
  openReturn,
  openSuccessPage,
  pay,
  payAndReturn,
  payChallenged,
  payDeclined,
  tryToBuy,
  visit,
  withQuery,
} from './steps/payer.ts'
import {
  afterMinutes,
  captureInVain,
  changePayment,
  duringFault,
  mustBeCaptured,
  mustBePaidOnce,
  readStatus,
  refundPart,
  unlessRefunded,
  whileCaptureFails,
  whileReadsFail,
} from './steps/staff.ts'
import {
  alterWebhooks,
  deliverTogether,
  deliverWebhooks,
  ifAny,
  interruptWebhooks,
  loseWebhooks,
  mustBeAccepted,
  mustBeAnswered,
  releaseNewestFirst,
  releaseWebhooks,
  resendWebhooks,
} from './steps/webhooks.ts'

export type { CheckCase } from './cases/case.ts'

/** Number of orders with which simultaneous messages are tried. */
const RACES = 10

/** Runs simultaneous messages for the order and for others, which must be fulfilled once. */
const race =
  (...actions: readonly Action[]): Action =>
  async (stage, purchase) => {
    const act = joinActions(...actions)
    await act(stage, purchase)
    const others: Purchase[] = []
    while (others.length < RACES - 1) {
      const other = await buy(stage)
      await act(stage, other)
      others.push(other)
    }
    await mustBeFulfilledOnce(stage, ...others)
  }

const payTwiceTogether: Action = async (stage, purchase) => {
  const backs = await Promise.all([pay(stage, purchase), pay(stage, purchase)])
  await Promise.all(backs.map((back) => visit(stage, back)))
}

const payOnTwoPages: Action = async (stage, purchase) => {
  const again = await buyAgain(stage, purchase)
  await payAndReturn(stage, purchase)
  await payAndReturn(stage, again)
  await mustBePaidOnce(stage, [purchase, again])
}

/** A payer pays, pays again, or pays another sum. */
const PAYMENT_CASES = createCases(buy, ONCE, [
  {
    name: 'plain',
    done: 'The payer pays and returns; then the webhook arrives.',
    why: 'Most payments happen in this order.',
    steps: [payAndReturn],
    also: [mustSeePage, mustBeCaptured],
  },
  {
    name: 'webhook-first',
    done: 'The webhook arrives before the payer returns.',
    why: 'The gateway and the browser are different machines, and the gateway is often quicker.',
    steps: [pay, releaseWebhooks, openReturn],
    also: [mustSeePage],
  },
  {
    name: 'payer-never-returns',
    done: 'The payer pays and closes the browser; only the webhook arrives.',
    why: 'Phones lose their connection, and payers close the tab at the receipt.',
    steps: [pay, releaseWebhooks],
    also: [mustBeAccepted],
  },
  {
    name: 'webhook-never',
    done: 'The payer pays and returns; the webhook is lost.',
    why: 'Firewalls, maintenance pages and expired certificates stop webhooks for hours.',
    steps: [pay, loseWebhooks, openReturn],
  },
  {
    name: 'double-click',
    done: 'The payer presses Pay twice, and two tabs return.',
    why: 'Pages that load slowly are clicked again.',
    steps: [payTwiceTogether, deliverWebhooks],
  },
  {
    name: 'declined',
    done: 'The bank declines the card; the webhook about it arrives.',
    must: NEVER,
    why: 'A handler that fulfils on every webhook fulfils declined payments.',
    steps: [payDeclined, deliverWebhooks, openSuccessPage],
  },
  {
    name: 'declined-then-paid',
    done: 'The bank declines the card, and the payer pays with another card.',
    why: 'Most payers try again after a decline.',
    steps: [payDeclined, deliverWebhooks, waitForQueue, payAndReturn],
  },
  {
    name: 'declined-then-retried',
    done: "The bank declines the card; the payer presses the shop's button for another attempt, and pays.",
    why: 'Shops offer another attempt on the page of a failed order.',
    steps: [
      joinActions(payDeclined, deliverWebhooks, waitForQueue),
      async (stage, purchase) => payAndReturn(stage, await buyAgain(stage, purchase)),
    ],
  },
  {
    name: 'paid-in-two-tabs',
    done: 'The payer opens two payment pages for one order, and pays on both.',
    must: { ...ONCE, says: `Money is taken once. ${ONCE.says}` },
    why: 'Payers open a second tab when the first one seems to hang.',
    steps: [payOnTwoPages],
  },
  {
    name: 'order-changed',
    done: 'The payer changes the order in another tab while the payment page is open, then pays the old amount.',
    must: {
      says: 'If the order is fulfilled, it shows the paid amount.',
      judge: mustBeAsPaid,
    },
    why: 'Baskets stay open in a second tab.',
    steps: [changeOrder, payAndReturn],
  },
  {
    name: 'other-amount',
    done: 'The payment is changed to 0.01, and the payer pays 0.01.',
    must: NEVER,
    why: 'Plug-ins and staff change payments, and forms contain amounts that payers can edit.',
    steps: [changePayment(() => ({ amount: '0.01' })), payAndReturn],
  },
  {
    name: 'other-currency',
    done: 'The payment is changed to a cheaper currency, and the payer pays in that currency.',
    must: NEVER,
    why: 'Plug-ins for currencies change payments, and 100 yen are not 100 kronor.',
    steps: [
      changePayment(({ currency }) => ({
        currency: currency.toLowerCase() === 'jpy' ? 'isk' : 'jpy',
      })),
      payAndReturn,
    ],
  },
  {
    name: 'paid-after-31-minutes',
    done: 'The payer opens the payment page, and pays after 31 minutes.',
    must: {
      says: `${ONCE.says} Or the shop refunds the payment.`,
      judge: unlessRefunded(ONCE.judge),
    },
    why: 'Shops cancel unpaid orders after 30 minutes, and payers look for their card.',
    isAlone: true,
    steps: [afterMinutes(31, payAndReturn)],
  },
])

/** Opens the return address of another order with the values of this payment. */
const returnToAnotherOrder: Action = async (stage, paid) => {
  const other = await buy(stage)
  const own = new URL(paid.successUrl).searchParams
  const added = [...new URL(await pay(stage, paid)).searchParams].filter(
    ([name, value]) => !own.getAll(name).includes(value),
  )
  const forged = withQuery(other.successUrl, Object.fromEntries(added))
  for (const address of [forged, withQuery(forged, { payment_ref: other.paymentRef })]) {
    await visit(stage, address, 'forged return')
    await mustNotBeFulfilled(stage, other)
  }
}

/** The gateway answers no request about a payment. */
const DOWN = { kind: 'unavailable' } as const

/** The payer's browser arrives at the return address. */
const RETURN_CASES = createCases(buy, ONCE, [
  {
    name: 'return-twice',
    done: 'The payer opens the return address twice.',
    why: 'Payers reload the receipt, and browsers restore tabs.',
    steps: [pay, openReturn, openReturn, deliverWebhooks],
  },
  {
    name: 'webhook-and-return-at-once',
    done: 'The webhook arrives on two connections while the payer opens the return address in two tabs, for ten orders.',
    why: 'Webhook and redirect both start when the bank answers.',
    steps: [race(pay, deliverTogether(openReturn, openReturn), loseWebhooks)],
  },
  {
    name: 'return-unpaid',
    done: 'A visitor opens the return address without paying, with a made-up status.',
    must: NEVER,
    why: 'The return address is in the page, and every visitor can type it.',
    steps: [openSuccessPage, openForgedReturn],
  },
  {
    name: 'return-then-paid',
    done: 'The payer opens the return address before paying, then pays.',
    why: 'Browsers open addresses in advance, and payers press Back and Forward.',
    steps: [openSuccessPage, waitForQueue, payAndReturn],
  },
  {
    name: 'return-of-another-order',
    done: 'The payer pays one order, then opens the return address of another order with the hash of the first.',
    must: {
      ...ONCE,
      says: 'The paid order is fulfilled once, and the other order is not fulfilled.',
    },
    why: 'If the shop does not compare the order, one cheap payment pays for any order.',
    steps: [returnToAnotherOrder, openReturn, deliverWebhooks],
  },
  {
    name: 'return-after-decline',
    done: 'The bank declines the card, and the payer opens the return address with status approved.',
    must: NEVER,
    why: 'A payer sees the address and its query in the browser.',
    steps: [payDeclined, deliverWebhooks, openForgedReturn],
  },
  {
    name: 'return-while-down',
    done: 'A visitor opens the return address without paying, with a made-up status, while the gateway answers with status 503.',
    must: NEVER,
    why: 'If the shop trusts the return address while the gateway is down, every visitor can get goods.',
    isAlone: true,
    steps: [whileReadsFail(DOWN, openForgedReturn)],
  },
  {
    name: 'error-page-then-paid',
    done: 'The payer opens the error address, goes back to the payment page and pays.',
    why: 'Payers press Back after an error, and pay on the page that is still open.',
    steps: [payDeclined, openErrorPage, waitForQueue, payAndReturn],
  },
  {
    name: 'late-error-page',
    done: 'The bank declines the card, and the payer pays with another card. Then the error address of the first attempt opens.',
    why: 'Browsers restore tabs, and slow tabs load after the payment.',
    steps: [payDeclined, payAndReturn, ONCE.judge, openErrorPage],
  },
])

/** Milliseconds that the gateway takes to answer a handler that reads a payment. */
const SLOW_MS = 500

/** Genuine webhooks arrive again, together, broken, or at a handler that fails. */
const WEBHOOK_CASES = createCases(buy, ONCE, [
  {
    name: 'webhook-twice',
    done: 'The same webhook arrives twice.',
    why: 'A gateway that retries after a lost answer sends the webhook twice.',
    steps: [pay, releaseWebhooks, resendWebhooks],
    also: [mustBeAnswered],
  },
  {
    name: 'webhook-later',
    done: 'The same webhook arrives again after the webhook of another order.',
    why: 'After status 500, the gateway retries for days.',
    steps: [
      joinActions(pay, releaseWebhooks),
      async (stage) => payAndReturn(stage, await buy(stage)),
      resendWebhooks,
    ],
  },
  {
    name: 'webhook-two-connections',
    done: 'The same webhook arrives on two connections at the same time, for ten orders.',
    why: 'Two servers of a gateway can send the same delivery, and load balancers repeat requests.',
    steps: [race(pay, deliverTogether(), loseWebhooks)],
  },
  {
    name: 'handler-slow',
    done: 'The webhook arrives again while the handler still works on it.',
    why: 'Some services send a webhook again if the handler is too slow.',
    isAlone: true,
    steps: [pay, whileReadsFail({ kind: 'latency', milliseconds: SLOW_MS }, deliverTogether())],
  },
  {
    name: 'handler-too-slow',
    done: 'The handler answers too late: the gateway closes the connection, and the webhook arrives again.',
    why: 'Some handlers send mails or call other services before they answer. Some servers stop a handler whose connection is closed.',
    isAlone: true,
    steps: [
      pay,
      whileReadsFail(
        { kind: 'latency', milliseconds: 2 * SLOW_MS },
        interruptWebhooks(SLOW_MS),
        releaseWebhooks,
      ),
    ],
  },
  {
    name: 'handler-fails-first',
    done: 'The gateway answers the requests of the handler with status 503. The third attempt of the webhook succeeds.',
    why: 'A handler depends on the gateway and on a database, and both can be down.',
    isAlone: true,
    steps: [
      pay,
      whileReadsFail(DOWN, releaseWebhooks, waitForQueue, deliverWebhooks, waitForQueue),
      deliverWebhooks,
    ],
  },
  {
    name: 'decline-arrives-last',
    done: 'The bank declines the card, and the payer pays with another card. The webhook about the decline arrives last.',
    why: 'Webhooks can overtake each other: each has its own connection and its own retries.',
    steps: [payDeclined, pay, openReturn, releaseNewestFirst],
  },
  {
    name: 'webhook-cut',
    done: 'Half of a webhook arrives, then the whole webhook.',
    why: 'Proxies and connections break.',
    steps: [pay, alterWebhooks(['cut_body']), releaseWebhooks],
  },
  {
    name: 'clocks-apart',
    done: "The gateway's clock is two minutes ahead of the shop's.",
    why: 'Clocks of servers differ by minutes when they are not synchronised.',
    steps: [pay, alterWebhooks(['clock_ahead']), ONCE.judge, openReturn, deliverWebhooks],
  },
  {
    name: 'webhook-unknown-order',
    done: 'A genuine webhook names an order that the shop does not know.',
    must: { says: 'The shop answers, but not with status 500.', judge: mustBeAnswered },
    why: 'Test and live shops share an account, and databases are restored. After status 500, the webhook arrives 20 times.',
    steps: [pay, alterWebhooks(['unknown_order'])],
  },
])

/** Webhooks about a declined payment, which say that it is approved. */
const APPROVALS: readonly ForgedRow[] = [
  {
    name: 'webhook-forged-status',
    done: 'A webhook about a declined payment arrives with status approved.',
    why: 'An attacker can post to the address of a webhook.',
    changes: [],
  },
  {
    name: 'webhook-unsigned',
    done: 'A webhook with status approved arrives without signature headers.',
    why: 'Some handlers verify the signature only of signed webhooks, and accept unsigned ones.',
    changes: ['no_signature'],
  },
  {
    name: 'webhook-wrong-key',
    done: 'A webhook with status approved arrives, signed with another key.',
    why: 'Some handlers read the signature but do not compare it.',
    changes: ['wrong_signature'],
  },
  {
    name: 'webhook-of-another-merchant',
    done: 'A webhook with status approved arrives, with the id of another merchant.',
    why: 'An attacker can have an account at the same gateway, with similar webhooks.',
    changes: ['other_merchant'],
  },
  {
    name: 'webhook-same-secret',
    done: 'A webhook with status approved arrives from another merchant with the same secret, with a valid signature of that merchant.',
    why: 'Some companies have two accounts with one secret, and some handlers take merchant_id from the webhook.',
    changes: ['same_secret'],
  },
  {
    name: 'webhook-live',
    done: 'A genuine webhook with status approved arrives whose test flag is not the test flag of the shop.',
    why: 'Test and live payments of one account use the same address: a test payment moves no money.',
    changes: ['live_payment'],
  },
]

const STORED = 'A handler that stores unverified data stores the data of an attacker.'

/** Copies that arrive after the genuine webhook. */
const COPIES: readonly ForgedRow[] = [
  {
    name: 'webhook-forged-amount',
    done: 'The genuine webhook arrives, then a forged webhook with another amount.',
    why: STORED,
    changes: ['other_amount'],
  },
  {
    name: 'webhook-forged-currency',
    done: 'The genuine webhook arrives, then a forged webhook with another currency.',
    why: STORED,
    changes: ['other_currency'],
  },
  {
    name: 'webhook-stale',
    done: 'The genuine webhook arrives, then a correctly signed copy whose timestamp is one day old.',
    why: 'Anyone who reads a log can send a recorded webhook again.',
    changes: ['old_timestamp'],
  },
]

type ForgedRow = Pick<CheckCase, 'name' | 'done' | 'why'> & {
  readonly changes: Parameters<typeof alterWebhooks>[0]
}

/** An attacker sends webhooks. */
const FORGED_CASES: readonly CheckCase[] = [
  ...createCases(
    buy,
    NEVER,
    APPROVALS.map(({ changes, ...row }) => ({
      ...row,
      steps: [payDeclined, rememberOrder, alterWebhooks(['approved_status', ...changes])],
      also: [mustBeAsRemembered],
    })),
  ),
  {
    name: 'webhook-of-another-order',
    done: 'The webhook of a paid order arrives with the payment_ref of an order that is not paid.',
    must: 'The unpaid order is not fulfilled.',
    why: 'If the shop does not compare the order, one cheap payment pays for any order.',
    async run(stage) {
      const [paid, other] = [await buy(stage), await buy(stage)]
      await pay(stage, paid)
      await alterWebhooks(['other_order'], other)(stage, paid)
      await mustNotBeFulfilled(stage, other)
    },
  },
  ...createCases(
    buy,
    { ...ONCE, says: `The copy changes nothing. ${ONCE.says}` },
    COPIES.map(({ changes, ...row }) => ({
      ...row,
      steps: [pay, releaseWebhooks, ONCE.judge, rememberOrder, alterWebhooks(changes)],
      also: [mustBeAsRemembered],
    })),
  ),
]

/** The bank asks the payer (3-D Secure). */
const BANK_CASES = createCases(buy, ONCE, [
  {
    name: 'bank-approves',
    done: 'The bank asks the payer for a code; the payer enters it and returns.',
    why: 'Most card payments in Europe are authenticated like this.',
    steps: [payChallenged, giveBankCode, openReturn, deliverWebhooks],
  },
  {
    name: 'bank-cancelled',
    done: 'The payer cancels at the bank and opens the return address.',
    must: NEVER,
    why: 'Payers have no code at hand, or change their mind.',
    steps: [payChallenged, cancelAtBank, deliverWebhooks, openSuccessPage],
  },
  {
    name: 'bank-window-closed',
    done: "The payer closes the bank's page, and opens the return address.",
    must: NEVER,
    why: 'Payers close pages that they do not understand, and the shop gets no message.',
    steps: [payChallenged, deliverWebhooks, openSuccessPage],
  },
  {
    name: 'bank-late',
    done: 'The payer opens the return address before answering the bank; then the bank approves.',
    why: "The bank asks in its app, and the payer returns to the shop's tab before opening the app.",
    steps: [payChallenged, openSuccessPage, waitForQueue, giveBankCode, releaseWebhooks],
  },
  {
    name: 'back-from-bank',
    done: 'The payer goes Back from the bank to the shop, then pays with another card.',
    why: "Payers change the card if the bank's questions take too long.",
    steps: [payChallenged, openSuccessPage, waitForQueue, payAndReturn],
  },
])

/** Faults of the gateway: the case, the fault, what the gateway does, and why it happens. */
const FAULTS: readonly (readonly [name: string, fault: StageFault, done: string, why: string])[] = [
  [
    'service-down',
    { kind: 'unavailable' },
    'the gateway answers with status 503',
    'Every service is down at some time.',
  ],
  [
    'service-limits',
    { kind: 'rate_limit' },
    'the gateway answers with status 429 and Retry-After',
    'Sales and crawlers make more requests than a service accepts.',
  ],
  [
    'service-slow',
    { kind: 'latency', milliseconds: 1_000 },
    'the gateway takes a second',
    'Services are slow during sales.',
  ],
  [
    'answer-lost',
    { kind: 'drop' },
    'the gateway carries out the request, but its answer is lost',
    'Connections break after the request has arrived.',
  ],
  [
    'answer-late',
    { kind: 'late_answer', milliseconds: 1_000 },
    'the gateway carries out the request, but its answer arrives a second late',
    'A network can be slow in one direction only.',
  ],
  [
    'answer-cut',
    { kind: 'cut_answer' },
    'half of the answer arrives',
    'Proxies and connections break.',
  ],
  [
    'answer-html',
    { kind: 'bad_gateway' },
    'a proxy answers with status 502 and an HTML page',
    'Proxies answer in HTML, not in JSON.',
  ],
]

/** The gateway does not answer as it should. */
const SERVICE_CASES = FAULTS.flatMap(([name, fault, done, why]) =>
  createCases(
    async (stage) => {
      await duringFault(stage, fault, () => tryToBuy(stage))
      return buy(stage)
    },
    { ...ONCE, says: `The shop answers, but not with status 500. ${ONCE.says}` },
    [
      {
        name,
        done: `When the shop prepares a payment, ${done}. The payer tries again.`,
        why,
        steps: [payAndReturn],
      },
    ],
  ),
)

const SUPPORT = 'Support staff refund in the dashboard of the gateway, and not in the shop.'

const REFUNDED = { says: 'The order shows the refunded amount.', judge: mustBeRefunded }

/** Money is refunded. */
const REFUND_CASES = createCases(buy, REFUNDED, [
  {
    name: 'refund',
    done: 'Half of the payment is refunded in the dashboard.',
    why: SUPPORT,
    steps: [payAndReturn, refundPart(0.5), deliverWebhooks],
  },
  {
    name: 'refund-full',
    done: 'The whole payment is refunded in the dashboard.',
    why: SUPPORT,
    steps: [payAndReturn, refundPart(1), deliverWebhooks],
  },
  {
    name: 'refund-in-parts',
    done: 'Two parts of the payment are refunded in the dashboard.',
    must: { ...REFUNDED, says: 'The order shows the sum of both refunds.' },
    why: 'Payers return one item after the other.',
    steps: [payAndReturn, refundPart(0.2), deliverWebhooks, refundPart(0.3), deliverWebhooks],
  },
  {
    name: 'refund-webhook-twice',
    done: 'Half of the payment is refunded, and the webhook about it arrives twice.',
    must: { ...REFUNDED, says: 'The order shows the refunded amount once.' },
    why: 'A gateway that retries after a lost answer sends the webhook twice.',
    steps: [payAndReturn, refundPart(0.5), deliverWebhooks, ifAny(resendWebhooks)],
  },
])

const requireReservation =
  (isReserved: boolean, says: string): Action =>
  async (stage, purchase) => {
    const status = await readStatus(stage, purchase)
    if ((status === 'authorized') !== isReserved) throw new NotCheckedError(says)
  }

const mustStayReserved = requireReservation(
  true,
  'The shop captured the reservation by itself: see the case capture-fails-at-once.',
)
const mustBeCapturedByShop = requireReservation(
  false,
  'The shop does not capture reservations by itself: see the case capture-fails.',
)

/** A reservation is released, or its capture fails. */
const RESERVATION_CASES = createCases(
  buyWithReservation,
  { says: 'The order is not shown as paid.', judge: mustNotBePaid },
  [
    {
      name: 'void',
      done: 'A reservation is released in the dashboard.',
      why: 'Support releases reservations of orders that cannot be sent.',
      steps: [payAndReturn, mustStayReserved, refundPart(1), deliverWebhooks],
    },
    {
      name: 'capture-fails',
      done: 'The bank declines a capture after an hour.',
      why: 'Reservations expire after some days, and cards are blocked.',
      isAlone: true,
      steps: [payAndReturn, mustStayReserved, captureInVain, deliverWebhooks],
    },
    {
      name: 'capture-fails-at-once',
      done: 'The shop captures the reservation by itself as soon as it is paid, and the bank declines the capture.',
      must: { ...NEVER, says: 'The order is neither shown as paid nor fulfilled.' },
      why: 'A reservation is not a payment: the bank can decline its capture.',
      isAlone: true,
      steps: [whileCaptureFails(payAndReturn, mustBeCapturedByShop), deliverWebhooks],
    },
  ],
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
