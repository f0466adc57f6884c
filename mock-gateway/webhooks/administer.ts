import { GatewayError } from '../domain/errors/errors.ts'
import {
  MOST_TEMPLATES,
  UNDISTURBED,
  type WebhookDelivery,
  type WebhookOverrides,
  type WebhookTemplate,
} from '../domain/webhook/template.ts'
import { needMerchant } from '../merchants/administer.ts'
import type { Database } from '../storage/database.ts'
import type { DueItem } from '../storage/due.ts'
import { lockMerchant, updateMerchant } from '../storage/merchants.ts'
import { findAll, findOne } from '../storage/rows.ts'
import type { Queries } from '../storage/tables/schema.ts'
import type { FullDelivery, WebhookDeliveryRow } from '../storage/tables/webhook-deliveries.ts'
import { findTemplate } from '../storage/templates.ts'
import {
  type DeliveryFilter,
  deleteDelivery,
  releaseDeliveries,
  updateResting,
  withBodies,
} from '../storage/webhook-deliveries.ts'

export interface AdministerDependencies {
  readonly database: Database
  /** Returns epoch milliseconds by a merchant's clock. */
  readonly getMoment: (merchantId: number) => number
  /** Returns epoch milliseconds of the machine. */
  readonly machine: () => number
  /** Announces that deliveries may be due. */
  readonly wake: () => void
  /** Sends a delivery that is due now, and waits for the end of the attempt. */
  readonly attempt: (due: DueItem) => Promise<void>
}

/** Maximum number of deliveries to resend in one request. */
const MOST_RESENT = 1_000

const findResent = (queries: Queries, filter: DeliveryFilter): Promise<WebhookDeliveryRow[]> =>
  findAll(queries, 'webhook_deliveries', filter, { newestFirst: true, limit: MOST_RESENT })

/**
 * Resends deliveries in any state, with the same webhook-id, outside the retry schedule, which
 * continues if they fail. Deliveries that are being sent or resent are skipped.
 * @returns the number of deliveries
 */
export async function sendAgain(
  dependencies: AdministerDependencies,
  filter: DeliveryFilter,
): Promise<number> {
  const count = await dependencies.database.write(async (queries) => {
    let sent = 0
    for (const row of await findResent(queries, filter)) {
      if (row.again_from !== null) continue
      const due_at = dependencies.getMoment(row.merchant_id)
      const changed = await updateResting(
        queries,
        row.id,
        { again_from: row.status, again_due_at: row.due_at, status: 'pending', due_at },
        dependencies.machine(),
      )
      sent += changed ? 1 : 0
    }
    return sent
  })
  dependencies.wake()
  return count
}

/**
 * Sends the next retry of a delivery now; it counts as a retry.
 * @throws errors.webhook.not_found (204) if the delivery has no pending retry
 */
export async function retryNow(
  dependencies: AdministerDependencies,
  filter: DeliveryFilter,
): Promise<void> {
  const { id, merchant_id, status } = await requireDelivery(dependencies, filter)
  const due_at = dependencies.getMoment(merchant_id)
  const isMoved =
    status === 'pending' &&
    (await dependencies.database.write((queries) =>
      updateResting(queries, id, { due_at }, dependencies.machine()),
    ))
  if (!isMoved) throw notFound('The delivery has no pending retry.')
  dependencies.wake()
}

/** Choice of the deliveries to attempt, and their order. */
export interface AttemptOrder {
  /** Place of an event among those of the found deliveries: 0 is the first, -1 the last. */
  readonly event: number | undefined
  readonly newestFirst: boolean
}

/**
 * Attempts deliveries now, one after the other. For pending and held deliveries, this is the next
 * attempt; other deliveries are resent outside the retry schedule.
 * @returns the deliveries after their attempts, in this order
 */
export async function attemptNow(
  dependencies: AdministerDependencies,
  filter: DeliveryFilter,
  { event, newestFirst }: AttemptOrder,
): Promise<readonly WebhookDeliveryRow[]> {
  const { database, getMoment, machine, attempt } = dependencies
  const found = (await findResent(database.db, filter)).toReversed()
  const eventId =
    event !== undefined && [...new Set(found.map(({ event_id }) => event_id))].at(event)
  const chosen = event === undefined ? found : found.filter((row) => row.event_id === eventId)
  const attempted: WebhookDeliveryRow[] = []
  for (const { id, merchant_id, ...row } of newestFirst ? chosen.toReversed() : chosen) {
    const due_at = getMoment(merchant_id)
    const again =
      row.status === 'pending'
        ? {}
        : { again_from: row.status, again_due_at: row.due_at, status: 'pending' as const }
    await database.write((queries) => updateResting(queries, id, { ...again, due_at }, machine()))
    await attempt({ kind: 'webhook', at: due_at, merchantId: merchant_id, id })
    attempted.push(await requireDelivery(dependencies, { id }))
  }
  return attempted
}

/** Holds new webhooks of one order or all. */
export async function holdWebhooks(
  dependencies: AdministerDependencies,
  merchantId: number,
  paymentRef: string | undefined,
): Promise<WebhookDelivery> {
  const { delivery } = await changeOverrides(dependencies, merchantId, (overrides) => {
    const { hold_orders, ...settings } = createDelivery(overrides)
    const delivery =
      paymentRef === undefined
        ? { ...settings, hold_orders, hold: true }
        : { ...settings, hold_orders: [...new Set([...hold_orders, paymentRef])] }
    return { delivery }
  })
  return delivery
}

/**
 * Stops holding webhooks of one order or all, and sends the held ones in the order of their events.
 * @returns the number of sent webhooks
 */
export async function releaseWebhooks(
  dependencies: AdministerDependencies,
  merchantId: number,
  paymentRef: string | undefined,
): Promise<number> {
  await changeOverrides(dependencies, merchantId, (overrides) => {
    const { hold, hold_orders, ...settings } = createDelivery(overrides)
    const delivery =
      paymentRef === undefined
        ? { ...settings, hold: false, hold_orders: [] }
        : { ...settings, hold, hold_orders: hold_orders.filter((held) => held !== paymentRef) }
    return { delivery }
  })
  const due_at = dependencies.getMoment(merchantId)
  const released = await dependencies.database.write((queries) =>
    releaseDeliveries(queries, { merchantId, paymentRef, due_at }),
  )
  dependencies.wake()
  return released
}

const createDelivery = ({ delivery }: WebhookOverrides): WebhookDelivery => ({
  ...UNDISTURBED,
  ...delivery,
})

/**
 * Deletes a delivery that is sent, failed permanently or held. A held webhook is never sent.
 * @returns the deleted delivery
 * @throws errors.webhook.not_found (204)
 */
export async function removeDelivery(
  dependencies: AdministerDependencies,
  filter: DeliveryFilter,
): Promise<WebhookDeliveryRow> {
  const row = await requireDelivery(dependencies, filter)
  if (row.status === 'pending' && row.due_at !== null)
    throw notFound('Only a delivery that has ended, or that is held, can be deleted.')
  await dependencies.database.write((queries) => deleteDelivery(queries, row.id))
  return row
}

/** @throws errors.webhook.not_found (204) */
export async function requireDelivery(
  { database }: AdministerDependencies,
  filter: DeliveryFilter,
): Promise<WebhookDeliveryRow> {
  const row = await findOne(database.db, 'webhook_deliveries', filter, { newestFirst: true })
  if (row) return row
  throw noDelivery(filter)
}

/** Finds a delivery like `requireDelivery`, with its body. */
export async function requireFullDelivery(
  dependencies: AdministerDependencies,
  filter: DeliveryFilter,
): Promise<FullDelivery> {
  const [delivery] = await withBodies(dependencies.database.db, [
    await requireDelivery(dependencies, filter),
  ])
  if (delivery) return delivery
  throw noDelivery(filter)
}

const noDelivery = ({ id }: DeliveryFilter) =>
  notFound(`There is no delivery ${id ?? 'like this'}.`)
const notFound = (explain: string) => new GatewayError('errors.webhook.not_found', { explain })

/**
 * Reads the changes of a merchant's webhooks at run time. @throws errors.merchant.not_found (104)
 */
export const readOverrides = async (
  { database }: AdministerDependencies,
  merchantId: number,
): Promise<WebhookOverrides> => (await needMerchant(database.db, merchantId)).webhook_overrides

/**
 * Changes a merchant's overrides. Simultaneous changes wait for each other.
 * @param change returns the changed members
 */
export async function changeOverrides<Changes extends WebhookOverrides>(
  { database }: AdministerDependencies,
  merchantId: number,
  change: (overrides: WebhookOverrides) => Changes,
): Promise<Changes> {
  return database.write(async (queries) => {
    await lockMerchant(queries, merchantId)
    const { webhook_overrides: overrides } = await needMerchant(queries, merchantId)
    const changes = change(overrides)
    await updateMerchant(queries, merchantId, { webhook_overrides: { ...overrides, ...changes } })
    return changes
  })
}

/**
 * Adds a template, or replaces the one with the same name. @throws errors.webhook_template.invalid
 * (1510)
 */
export async function putTemplate(
  dependencies: AdministerDependencies,
  merchantId: number,
  template: WebhookTemplate,
): Promise<void> {
  await requireMailTemplate(dependencies, merchantId, template)
  await changeOverrides(dependencies, merchantId, ({ templates = [] }) => {
    const others = templates.filter(({ name }) => name !== template.name)
    if (others.length >= MOST_TEMPLATES)
      throw new GatewayError('errors.webhook_template.invalid', {
        explain: `The merchant already has ${MOST_TEMPLATES} templates. Delete one first.`,
      })
    return { templates: [...others, template] }
  })
}

/** @throws errors.webhook_template.invalid (1510) if the mail template does not exist */
async function requireMailTemplate(
  { database }: AdministerDependencies,
  merchantId: number,
  { template_id }: WebhookTemplate,
) {
  if (template_id === null) return
  const named = await findTemplate(database.db, merchantId, template_id)
  if (named?.kind === 'receipt') return
  throw new GatewayError('errors.webhook_template.invalid', {
    explain: `The merchant has no mail template ${template_id} (template_id). Create one of kind receipt first.`,
  })
}

/** @throws errors.webhook_template.not_found (1511) */
export async function requireTemplate(
  dependencies: AdministerDependencies,
  merchantId: number,
  name: string,
): Promise<WebhookTemplate> {
  const { templates = [] } = await readOverrides(dependencies, merchantId)
  const template = templates.find((one) => one.name === name)
  if (template) return template
  throw new GatewayError('errors.webhook_template.not_found', {
    explain:
      'The merchant has no template with this name. Webhooks from the settings can only be changed in the settings.',
  })
}

/** @throws errors.webhook_template.not_found (1511) */
export async function removeTemplate(
  dependencies: AdministerDependencies,
  merchantId: number,
  name: string,
): Promise<void> {
  await requireTemplate(dependencies, merchantId, name)
  await changeOverrides(dependencies, merchantId, ({ templates = [] }) => ({
    templates: templates.filter((one) => one.name !== name),
  }))
}
