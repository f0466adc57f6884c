import type { GatewayClient } from './gateway.ts'
import type { CheckTime } from './time.ts'

/** Clock, outcomes, faults and holds of the merchant before a check. */
export type GatewayState = Awaited<ReturnType<typeof suspendState>>

const KINDS = ['payments', 'captures'] as const

/**
 * Reads the state that a check changes, then removes what would affect its payments, and holds the
 * merchant's webhooks.
 */
export async function suspendState(
  { control, merchantId, own, findDeliveries }: GatewayClient,
  { elapsed }: CheckTime,
) {
  /** Ids of the transactions of the check. */
  const bought = new Set<number>()
  const isOwn = ({ merchant_id }: { readonly merchant_id: number | null }) =>
    merchant_id === null || merchant_id === merchantId
  const listFaults = async () => (await control.faults.list()).faults.filter(isOwn)
  const listOutcomes = async (kind: (typeof KINDS)[number]) =>
    (await control[kind].forced()).next.filter(isOwn)
  const clock = await control.clock.show(own)
  const common = await control.clock.show()
  const readAt = elapsed()
  const faults = await listFaults()
  const [payments, captures] = [await listOutcomes('payments'), await listOutcomes('captures')]
  const authentications = (await control.authentications.forced(own)).next
  const sending = await control.webhooks.sending(own)

  async function clearOutcomes() {
    for (const kind of KINDS)
      for (const { id } of await listOutcomes(kind)) await control[kind].unforce({ id })
    await control.authentications.unforce(own)
  }
  /** Sets the merchant's clock back. */
  async function restoreClock(): Promise<void> {
    const apart = Math.abs(Date.parse(clock.now) - Date.parse(common.now))
    if (clock.mode === common.mode && apart < 5_000)
      await control.clock.resume({ ...own, real: true, force: true })
    else if (clock.mode === 'frozen')
      await control.clock.freeze({ ...own, at: clock.now, force: true })
    else {
      const at = new Date(Date.parse(clock.now) + elapsed() - readAt).toISOString()
      await control.clock.set({ ...own, at, force: true })
    }
  }

  await clearOutcomes()
  for (const { id } of faults) await control.faults.remove({ id })
  await control.webhooks.setSending({ ...own, hold: true })
  return {
    bought,
    restoreClock,
    /**
     * Writes everything back, then sends the held webhooks of the check's payments.
     * @returns a sentence that shows the state
     */
    async restore(): Promise<string> {
      await control.webhooks.setSending({ ...own, ...sending })
      for (const { id, merchant_id } of await listFaults())
        if (merchant_id === merchantId) await control.faults.remove({ id })
      for (const { id: _id, struck: _struck, until, times, milliseconds, ...fault } of faults)
        await control.faults.inject({
          ...removeNull(fault),
          ...(milliseconds > 0 && { milliseconds }),
          // A fault ends by the machine's clock.
          ...(until === null
            ? { times }
            : { seconds: Math.max(1, Math.ceil((Date.parse(until) - Date.now()) / 1000)) }),
        } as Parameters<typeof control.faults.inject>[0])
      await clearOutcomes()
      for (const { id: _id, ...outcome } of payments)
        await control.payments.force(removeNull(outcome))
      for (const { id: _id, ...outcome } of captures)
        await control.captures.force(removeNull(outcome))
      for (const forced of authentications)
        await control.authentications.force({ ...own, ...forced })
      await restoreClock()
      const { mode } = await control.clock.show(own)
      const pending = (await listFaults()).length
      const held = sending?.hold === true ? 'held' : 'sent'
      for (const transactionId of bought)
        for (const { id, status, due_at } of await findDeliveries(transactionId))
          if (status === 'pending' && due_at === null) await control.deliveries.retry({ id })
      return `The gateway is as before: clock ${mode}, faults ${pending}, forced outcomes ${payments.length + captures.length + authentications.length}, webhooks ${held}.`
    },
  }
}

type WithoutNull<Values> = { readonly [Name in keyof Values]: Exclude<Values[Name], null> }

/** Omits null, which means the default. */
const removeNull = <Values extends object>(values: Values) =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null),
  ) as unknown as WithoutNull<Values>
