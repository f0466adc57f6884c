import type { GatewayClient, NextOutcome, PendingFault } from './gateway.ts'

/** Clock, outcomes, faults and holds of the merchant before a check. */
export interface GatewayState {
  /** Sets the merchant's clock back. */
  restoreClock(): Promise<void>
  /** Writes everything back. @returns a sentence that shows the state */
  restore(): Promise<string>
}

/** Delivery settings while the check runs: webhooks are held. */
export const HELD = { hold: true } as const

/**
 * Reads the state that a check changes, then removes what would affect its payments, and holds the
 * merchant's webhooks.
 */
export async function suspendState(
  { control, merchantId }: GatewayClient,
  elapsed: () => number,
): Promise<GatewayState> {
  const isOwn = ({ merchant_id }: { readonly merchant_id: number | null }) =>
    merchant_id === null || merchant_id === merchantId
  const clock = await control.clock()
  const common = await control.clock(true)
  const readAt = elapsed()
  const faults = (await control.faults()).filter(isOwn)
  const outcomes = {
    payments: await control.outcomes('payments'),
    captures: await control.outcomes('captures'),
  }
  const kinds = ['payments', 'captures'] as const
  const sending = await control.sending()

  async function replaceOutcomes(wanted: (outcome: NextOutcome) => boolean) {
    for (const kind of kinds) {
      const before = outcomes[kind]
      const isOfAll = before.some(({ merchant_id }) => merchant_id === null)
      await control.deleteOutcomes(kind, isOfAll)
      for (const outcome of before)
        if (wanted(outcome) && (isOfAll || outcome.merchant_id === merchantId))
          await control.forceOutcome(kind, toFields(outcome))
    }
  }
  async function restoreClock() {
    const isCommon =
      clock.mode === common.mode && Math.abs(Date.parse(clock.now) - Date.parse(common.now)) < 5_000
    if (isCommon) await control.moveClock('resume', { real: true, force: true })
    else if (clock.mode === 'frozen')
      await control.moveClock('freeze', { at: clock.now, force: true })
    else {
      const at = new Date(Date.parse(clock.now) + elapsed() - readAt).toISOString()
      await control.moveClock('set', { at, force: true })
    }
  }

  await replaceOutcomes((outcome) => !isOwn(outcome))
  for (const { id } of faults) await control.deleteFault(id)
  await control.changeSending(HELD)
  return {
    restoreClock,
    async restore() {
      await control.changeSending(sending ?? {})
      for (const { id, ...fault } of (await control.faults()).filter(isOwn))
        if (fault.merchant_id === merchantId) await control.deleteFault(id)
      for (const fault of faults) await control.addFault(faultFields(fault))
      await replaceOutcomes(() => true)
      await restoreClock()
      return describe(control)
    },
  }

  async function describe({ clock: readClock, faults: readFaults }: typeof control) {
    const { mode } = await readClock()
    const pending = (await readFaults()).filter(isOwn).length
    const forced = [...outcomes.payments, ...outcomes.captures].filter(isOwn).length
    const held = sending?.hold === true ? 'held' : 'sent'
    return `The gateway is as before: clock ${mode}, faults ${pending}, forced outcomes ${forced}, webhooks ${held}.`
  }
}

/** Sends the held webhooks of these payments. */
export async function releaseHeldWebhooks(
  { control }: GatewayClient,
  transactionIds: readonly number[],
): Promise<void> {
  for (const transactionId of transactionIds)
    for (const { id, status, due_at } of await control.deliveries(transactionId))
      if (status === 'pending' && due_at === null) await control.retryDelivery(id)
}

/** Null and undefined are left out: they mean the default. */
const toFields = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

const faultFields = ({
  id: _id,
  struck: _struck,
  until,
  milliseconds,
  times,
  ...fault
}: PendingFault) => {
  const left = Date.parse(until ?? '') - Date.now()
  const seconds = until === null ? null : Math.max(1, Math.ceil(left / 1000))
  return toFields({
    ...fault,
    milliseconds: milliseconds || null,
    ...(seconds === null ? { times } : { seconds }),
  })
}
