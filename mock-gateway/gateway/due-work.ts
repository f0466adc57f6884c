import { createCounts } from '../domain/counts.ts'
import { DUE_PAYMENT_WORK } from '../payments/due.ts'
import type { DoDueWork, DueWork } from '../scheduler/due.ts'
import { createGatewayClock } from '../scheduler/gateway-clock.ts'
import { createScheduler } from '../scheduler/scheduler.ts'
import { createPaymentLine } from '../serializers/payment-line.ts'
import { type DueItem, type DueKind, findDue } from '../storage/due.ts'
import { createNextOutcomes, type NextOutcomes } from '../storage/next-outcomes.ts'
import { insertRows } from '../storage/rows.ts'
import { createChosenResults } from '../subscriptions/charge-now.ts'
import { createChargeWork } from '../subscriptions/due.ts'
import { askShop } from '../webhooks/ask-shop.ts'
import { createDeliveries } from '../webhooks/deliveries.ts'
import { createMailRenderer } from '../webhooks/mail/render-mail.ts'
import { createWebhookTransports } from '../webhooks/options.ts'
import { type OpenWork, openWork } from '../work/work.ts'
import type { Accounts } from './accounts.ts'
import type { GatewayData } from './data.ts'
import type { LiveChanges } from './live-changes.ts'
import type { CheckedOptions } from './options.ts'

interface DueWorkParts {
  readonly given: CheckedOptions
  readonly data: GatewayData
  readonly accounts: Accounts
  readonly live: LiveChanges
}

/** Scheduler and webhooks of a gateway. */
export type StartedWork = ReturnType<typeof startDueWork>

/** Starts webhooks and scheduler. */
export function startDueWork(parts: DueWorkParts) {
  const { given, data, accounts, live } = parts
  const { database, clocks, chance } = data
  const { logger } = given
  const { machine } = clocks
  const nextOutcomes = createNextOutcomes(database)
  const chosenResults = createChosenResults()
  const attempts = createCounts()
  const sending = createTransports(parts)
  const deliveries = createDeliveries({
    attempts,
    database,
    randomBytes: chance.randomBytes,
    getMoment: clocks.now,
    machine,
    findMerchant: accounts.authenticator.find,
    transports: sending.transports,
    logger,
    changes: live.changes,
  })
  const kinds: Readonly<Record<Exclude<DueKind, 'webhook'>, DoDueWork>> = {
    ...DUE_PAYMENT_WORK,
    charge: createChargeWork(clocks.now, chosenResults),
  }
  const work: DueWork = {
    find: (queries, search) =>
      findDue(queries, {
        ...search,
        kinds: search.kinds.filter((kind) => kind !== 'webhook' || deliveries.isSending()),
        machineNow: machine(),
      }),
    claimWebhooks: deliveries.claimDue,
    async run(due) {
      if (due.kind === 'webhook') return deliveries.run(due)
      const opened = await openWorkAt(parts, due, {
        nextOutcomes,
        onDue() {
          // A clock that is moved searches for its due work itself.
          if (!clocks.isMoving(clocks.has(due.merchantId) ? due.merchantId : undefined))
            timeline.wake()
        },
      })
      return opened && kinds[due.kind](opened, due.id)
    },
  }
  const timeline = createScheduler({ database, clocks, work, logger })
  return {
    nextOutcomes,
    chosenResults,
    timeline,
    clock: createGatewayClock(clocks, timeline),
    askShop: askShop({ call: sending.call, chance, machine, logger }),
    webhooks: {
      database,
      getMoment: clocks.now,
      machine,
      wake: timeline.wake,
      attempt: timeline.run,
    },
    callTarget: sending.call,
    checkHost: sending.checkHost,
    /** Counts of webhook attempts. */
    attempts,
    async close() {
      await deliveries.drain()
      sending.close()
      await timeline.stop()
    },
  }
}

/** Creates the transports of webhooks and mails; a mail is stored, and shown live. */
function createTransports({
  given: { webhooks, addresses, ...given },
  data,
  live: { changes },
}: DueWorkParts) {
  const { database, clocks } = data
  return createWebhookTransports(webhooks, given.database, {
    render: createMailRenderer({ database, addresses }),
    getMoment: clocks.now,
    async keep(mail) {
      await database.write((queries) => insertRows(queries, 'mails', [mail]))
      changes.publish({ merchantId: mail.merchant_id, topic: 'mails' })
    },
  })
}

/**
 * Opens a unit of work that no request started, because it is due.
 * @returns undefined if the merchant was deleted
 */
async function openWorkAt(
  { given: { logger, addresses }, data, accounts, live: { changes } }: DueWorkParts,
  { merchantId, at: now }: DueItem,
  { nextOutcomes, onDue }: { readonly nextOutcomes: NextOutcomes; readonly onDue: () => void },
): Promise<OpenWork | undefined> {
  const merchant = await accounts.authenticator.find(merchantId)
  return (
    merchant &&
    openWork(data.database, {
      merchant,
      actor: { by: 'gateway' },
      now,
      randomBytes: data.chance.of(merchantId),
      addresses,
      nextOutcomes,
      observer: {
        onDue,
        onTransaction(row, events) {
          logger.info({ merchant_id: merchantId, payment: createPaymentLine(row, events) })
          changes.publish({ merchantId, topic: 'transactions', id: row.id })
        },
      },
    })
  )
}
