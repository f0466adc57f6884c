import { z } from 'zod'
import { findAllMerchants } from '../storage/merchants.ts'
import { findAll } from '../storage/rows.ts'
import { releaseWebhooks } from '../webhooks/administer.ts'
import { type OperationContext, operation, type Subject } from './operation.ts'
import { formatMoment, moment, whose } from './shapes.ts'

const state = z
  .object({
    merchant_id: whose,
    clock: z.enum(['real', 'offset', 'frozen']),
    now: moment,
    merchant_clocks: z.int().describe('Number of merchants whose own clock was moved.'),
    faults: z.int().describe('Number of active faults.'),
    next_payments: z.int().describe('Number of payments with a forced outcome.'),
    next_captures: z.int().describe('Number of captures with a forced outcome.'),
    held_webhooks: z.boolean().describe('true: some webhooks are held back.'),
    is_normal: z.boolean().describe('true: nothing of this is switched on.'),
  })
  .meta({ id: 'State' })

/** What is switched on for a merchant, or for all. */
export type SandboxState = z.output<typeof state>

/** Describes what is switched on, except for the clock, such as `2 faults`. */
export function describeState(
  on: Pick<SandboxState, 'faults' | 'next_payments' | 'next_captures' | 'held_webhooks'> &
    Partial<Pick<SandboxState, 'merchant_clocks'>>,
): string[] {
  const results = on.next_payments + on.next_captures
  const counted = (count: number, one: string) =>
    count === 0 ? [] : [`${count} ${one}${count === 1 ? '' : 's'}`]
  return [
    ...counted(results, 'forced result'),
    ...counted(on.faults, 'fault'),
    ...(on.held_webhooks ? ['webhooks held'] : []),
    ...counted(on.merchant_clocks ?? 0, 'moved merchant clock'),
  ]
}

/** Counts the payments or captures that forced outcomes affect. */
export const sumOfTimes = (outcomes: readonly { readonly times: number }[]): number =>
  outcomes.reduce((sum, { times }) => sum + times, 0)

/** Lists the merchants whose webhooks are held back, or only one of them. */
export async function findHolders({
  database,
  merchantId,
}: Pick<OperationContext, 'database' | 'merchantId'>): Promise<number[]> {
  const holders = (await findAllMerchants(database.db)).filter(({ webhook_overrides }) => {
    const { hold = false, hold_orders = [] } = webhook_overrides.delivery ?? {}
    return hold || hold_orders.length > 0
  })
  const ids = holders.map(({ id }) => id)
  return merchantId === undefined ? ids : ids.filter((id) => id === merchantId)
}

/** Returns what is switched on now, of a merchant or of all. */
async function loadState(sandbox: OperationContext): Promise<z.output<typeof state>> {
  const { faults, nextOutcomes, timeline, merchantId } = sandbox
  const { mode, now } = await timeline.view(merchantId)
  const count = async (kind: 'payment' | 'capture') =>
    sumOfTimes(await nextOutcomes.waiting(kind, merchantId))
  const clocks = await findMovedClocks(sandbox)
  const on = {
    merchant_clocks: clocks.filter((id) => id !== undefined).length,
    faults: (await faults.list(merchantId)).length,
    next_payments: await count('payment'),
    next_captures: await count('capture'),
    held_webhooks: (await findHolders(sandbox)).length > 0,
  }
  const isNormal = mode === 'real' && Object.values(on).every((each) => !each)
  return {
    merchant_id: merchantId ?? null,
    clock: mode,
    now: formatMoment(now),
    ...on,
    is_normal: isNormal,
  }
}

/** Lists the clocks that differ from the machine's; undefined is the common clock. */
async function findMovedClocks({ database, merchantId }: OperationContext) {
  const rows = await findAll(database.db, 'clocks')
  const ids = rows.map(({ merchant_id }) => (merchant_id === 0 ? undefined : merchant_id))
  return merchantId === undefined ? ids : ids.filter((id) => id === merchantId)
}

export const STATE = operation({
  name: 'sandbox.state',
  route: 'GET /state',
  does: 'Shows what is switched on: the clock, faults, forced outcomes and held webhooks',
  output: state,
  run: loadState,
})

export const BACK_TO_NORMAL = operation({
  name: 'sandbox.normal',
  route: 'POST /normal',
  does: 'Deletes faults and forced outcomes, sends held webhooks, and returns clocks to real time',
  details: 'Without merchant_id, also for each merchant. Data, merchants and settings remain.',
  output: state,
  async run(sandbox) {
    const { faults, nextOutcomes, timeline, merchantId } = sandbox
    await faults.clear(merchantId)
    await nextOutcomes.clear('payment', merchantId)
    await nextOutcomes.clear('capture', merchantId)
    for (const id of await findMovedClocks(sandbox))
      await timeline.move({ kind: 'resume', real: true }, { merchantId: id, force: true })
    for (const id of await findHolders(sandbox))
      await releaseWebhooks(sandbox.webhooks, id, undefined)
    return loadState(sandbox)
  },
})

export const SANDBOX: Subject = {
  title: 'Sandbox',
  about: 'What is switched on now, and one call that switches everything off.',
  operations: [STATE, BACK_TO_NORMAL],
}
