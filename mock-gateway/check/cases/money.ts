import { NotCheckedError } from '../errors.ts'
import type { Purchase } from '../purchase.ts'
import type { Stage } from '../stage.ts'
import { type CheckCase, deliver, ifAny, payAndReturn } from './case.ts'

const SHOWN = 'The order shows the refunded amount.'
const SUPPORT = 'Support staff refund in the dashboard of the gateway, and not in the shop.'

const REFUNDS = [
  ['refund', 'Half of the payment is refunded in the dashboard.', SHOWN, SUPPORT, [0.5]],
  ['refund-full', 'The whole payment is refunded in the dashboard.', SHOWN, SUPPORT, [1]],
  [
    'refund-in-parts',
    'Two parts of the payment are refunded in the dashboard.',
    'The order shows the sum of both refunds.',
    'Payers return one item after the other.',
    [0.2, 0.3],
  ],
] as const

/** Money is refunded, or never captured. */
export const MONEY_CASES: readonly CheckCase[] = [
  ...REFUNDS.map(
    ([name, done, must, why, parts]): CheckCase => ({
      name,
      done,
      must,
      why,
      async run(stage) {
        const { purchase, refunds } = await refund(stage, parts)
        await stage.orders.mustBeRefunded(purchase, refunds)
      },
    }),
  ),
  {
    name: 'refund-webhook-twice',
    done: 'Half of the payment is refunded, and the webhook about it arrives twice.',
    must: 'The order shows the refunded amount once.',
    why: 'A gateway that retries after a lost answer sends the webhook twice.',
    async run(stage) {
      const { purchase, refunds } = await refund(stage, [0.5])
      await ifAny(stage.webhooks.resend(purchase))
      await stage.orders.mustBeRefunded(purchase, refunds)
    },
  },
  {
    name: 'void',
    done: 'A reservation is released in the dashboard.',
    must: 'The order is not shown as paid.',
    why: 'Support releases reservations of orders that cannot be sent.',
    async run(stage) {
      const purchase = await stage.payer.reserve()
      await payAndReturn(stage, purchase)
      await requireReservation(stage, purchase)
      await stage.staff.refund(purchase, purchase.amount)
      await deliver(stage, purchase)
      await stage.orders.mustNotBePaid(purchase)
    },
  },
  {
    name: 'capture-fails',
    done: 'The bank declines a capture after an hour.',
    must: 'The order is not shown as paid.',
    why: 'Reservations expire after some days, and cards are blocked.',
    isAlone: true,
    async run(stage) {
      const purchase = await stage.payer.reserve()
      await payAndReturn(stage, purchase)
      await requireReservation(stage, purchase)
      await stage.staff.captureInVain(purchase)
      await deliver(stage, purchase)
      await stage.orders.mustNotBePaid(purchase)
    },
  },
  {
    name: 'capture-fails-at-once',
    done: 'The shop captures the reservation by itself as soon as it is paid, and the bank declines the capture.',
    must: 'The order is neither shown as paid nor fulfilled.',
    why: 'A reservation is not a payment: the bank can decline its capture.',
    isAlone: true,
    async run(stage) {
      const purchase = await stage.payer.reserve()
      await stage.bank.declineNextCapture()
      try {
        await payAndReturn(stage, purchase)
        if ((await stage.staff.findStatus(purchase)) === 'authorized')
          throw new NotCheckedError(
            'The shop does not capture reservations by itself: see the case capture-fails.',
          )
        await stage.bank.passHour()
      } finally {
        await stage.bank.reset()
      }
      await deliver(stage, purchase)
      await stage.orders.mustNotBeFulfilled(purchase)
    },
  },
]

/** @throws NotCheckedError if the shop has captured the reservation */
async function requireReservation(stage: Stage, purchase: Purchase) {
  if ((await stage.staff.findStatus(purchase)) !== 'authorized')
    throw new NotCheckedError(
      'The shop captured the reservation by itself: see the case capture-fails-at-once.',
    )
}

/** @param parts of the amount */
async function refund(stage: Stage, parts: readonly number[]) {
  const purchase = await stage.payer.buy()
  await payAndReturn(stage, purchase)
  const refunds: string[] = []
  for (const part of parts) {
    const amount = (Number(purchase.amount) * part).toFixed(2)
    refunds.push(amount)
    await stage.staff.refund(purchase, amount)
    await deliver(stage, purchase)
  }
  return { purchase, refunds }
}
