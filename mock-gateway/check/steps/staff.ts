import { RefusedError } from '../../client.ts'
import { NotCheckedError, ShopFault } from '../errors.ts'
import { isPaid, type Purchase, type StageFault } from '../purchase.ts'
import { type Action, joinActions, type Stage } from '../stage.ts'

export const readStatus = async ({ gateway }: Stage, { id }: Purchase): Promise<string> =>
  (await gateway.api.getTransaction(id)).status

/** Changes a payment without the shop. */
export const changePayment =
  (
    choose: (purchase: Purchase) => { readonly amount: string } | { readonly currency: string },
  ): Action =>
  ({ gateway, story }, purchase) => {
    const fields = choose(purchase)
    return story.step(
      'amount' in fields ? 'changed amount' : 'changed currency',
      `The payment of ${purchase.payment_ref} is changed: ${Object.entries(fields).flat().join(' ')}.`,
      () => gateway.api.updateTransaction(purchase.id, { ...fields, process: false }),
    )
  }

/**
 * Refunds a part of a payment in the dashboard.
 * @throws NotCheckedError if the gateway rejects the refund
 */
export const refundPart =
  (part: number): Action =>
  async ({ gateway, story }, purchase) => {
    const amount = (Number(purchase.amount) * part).toFixed(2)
    const { id: transaction_id, payment_ref } = purchase
    await story.step('refund', `${amount} of ${payment_ref} is refunded in the dashboard.`, () =>
      gateway.api.createRefund({ transaction_id, amount, reason: 'Checked' }).catch((error) => {
        if (!(error instanceof RefusedError)) throw error
        throw new NotCheckedError(`The gateway rejected the refund: ${error.message}.`)
      }),
    )
    purchase.refunded = [...(purchase.refunded ?? []), amount]
  }

/** Runs an action unless the shop has refunded the whole payment. */
export const unlessRefunded =
  (act: Action): Action =>
  async (stage, purchase) => {
    const { refunds } = await stage.gateway.api.getTransaction(purchase.id)
    const refunded = refunds.reduce((sum, refund) => sum + Number(refund.amount), 0)
    if (refunded < Number(purchase.amount)) await act(stage, purchase)
  }

/** Asserts that a payment took the amount of its order. */
export const mustBeCaptured: Action = async ({ gateway }, { id, amount }) => {
  const taken = await gateway.api.getTransaction(id)
  if (Number(taken.amount) !== Number(amount))
    throw new ShopFault(
      'captured another amount',
      `The order costs ${amount}, and the shop captured ${taken.amount}.`,
    )
}

/** Asserts that only one of several payments of an order took money. */
export async function mustBePaidOnce(
  { gateway }: Stage,
  purchases: readonly Purchase[],
): Promise<void> {
  const ids = [...new Set(purchases.map(({ id }) => id))]
  const taken = (await Promise.all(ids.map((id) => gateway.api.getTransaction(id)))).filter(isPaid)
  if (taken.length > 1)
    throw new ShopFault(
      'paid twice',
      `The payer paid one order ${taken.length} times, as ${taken.map(({ payment_ref }) => payment_ref).join(' and ')}.`,
    )
}

const forceFailedCapture = ({ gateway: { control, own } }: Stage) =>
  control.captures.force({ ...own, outcome: 'errors.payment.declined', seconds: 3600 })

async function advanceHour({ gateway: { control, own }, state }: Stage) {
  await control.clock.advance({ ...own, seconds: 3601 })
  await state.restoreClock()
}

/** Captures a reservation; the bank declines it after an hour. */
export const captureAndDecline: Action = (stage, { id, amount, payment_ref }) =>
  stage.story.step(
    'declined capture',
    `The capture of ${payment_ref} takes an hour, and the bank declines it.`,
    async () => {
      await forceFailedCapture(stage)
      await stage.gateway.api.captureTransaction(id, { amount })
      await advanceHour(stage)
    },
  )

/** Lets the bank decline the capture that the shop makes while actions run, an hour after it. */
export const whileCaptureFails =
  (...actions: readonly Action[]): Action =>
  async (stage, purchase) => {
    const says = 'The bank will decline the next capture.'
    await stage.story.step('declined capture', says, () => forceFailedCapture(stage))
    try {
      await joinActions(...actions)(stage, purchase)
      await stage.story.step('other', 'An hour passes.', () => advanceHour(stage))
    } finally {
      await stage.gateway.control.captures.unforce(stage.gateway.own)
    }
  }

/** Moves the merchant's clock while an action runs. */
export const afterMinutes =
  (minutes: number, act: Action): Action =>
  async (stage, purchase) => {
    const { control, own } = stage.gateway
    await stage.story.step('late', `${minutes} minutes pass.`, () =>
      control.clock.advance({ ...own, minutes }),
    )
    try {
      await act(stage, purchase)
    } finally {
      await stage.state.restoreClock()
    }
  }

/** Effect of a fault on the gateway's answers, for the steps. */
const FAULTS: Readonly<Record<StageFault['kind'], string>> = {
  latency: 'is slow',
  late_answer: 'answers late',
  drop: 'closes the connection without an answer',
  cut_answer: 'sends half of its answer',
  bad_gateway: 'answers 502 with an HTML page',
  unavailable: 'answers 503',
  rate_limit: 'answers 429',
}

/** Injects a fault into the gateway's answers while `act` runs. */
export async function duringFault(
  { gateway: { control, own }, story }: Stage,
  fault: StageFault,
  act: () => Promise<unknown>,
): Promise<void> {
  const { method = 'POST', times = 1 } = fault
  const moment = method === 'POST' ? 'at the next payment' : 'when the shop reads a payment'
  const { id } = await story.step(
    { kind: 'fault', change: fault.kind },
    `The gateway ${FAULTS[fault.kind]} ${moment}.`,
    () => control.faults.inject({ ...own, path: '/v1/transactions', ...fault, method, times }),
  )
  try {
    await act()
  } finally {
    const { faults } = await control.faults.list()
    if (faults.some((pending) => pending.id === id)) await control.faults.remove({ id })
  }
}

/** Injects a fault into every answer about a payment that the shop reads while actions run. */
export const whileReadsFail =
  (fault: StageFault, ...actions: readonly Action[]): Action =>
  (stage, purchase) =>
    duringFault(stage, { method: 'GET', times: 0, ...fault }, () =>
      joinActions(...actions)(stage, purchase),
    )
