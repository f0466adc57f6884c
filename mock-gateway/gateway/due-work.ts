import { createCounts } from '../domain/counts.ts'
import {
  createDueAnswers,
  createDueAuthentications,
  createDueCaptures,
  createDueExpiries,
} from '../payments/due.ts'

import type { DueItem, DueKind } from '../scheduler/due.ts'
import { createGatewayClock } from '../scheduler/gateway-clock.ts'
import { createScheduler } from '../scheduler/scheduler.ts'
import { createPaymentLine } from '../serializers/payment-line.ts'
import { createNextOutcomes } from '../storage/next-outcomes.ts'
import { insertRows } from '../storage/rows.ts'
import { createChosenResults } from '../subscriptions/chosen-results.ts'
import { createDueCharges } from '../subscriptions/due.ts'
import { askShop } from '../webhooks/ask-shop.ts'
import { createDeliveries } from '../webhooks/deliveries.ts'
import { createMailRenderer } from '../webhooks/mail/render-mail.ts'
import { createWebhookTransports } from '../webhooks/options.ts'
import { openWork, type WorkAt } from '../work/work.ts'
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

/** Work that a gateway does when it is due: webhooks, charges, expiries. */
export type DueWork = ReturnType<typeof startDueWork>

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
  const isMoving = (merchantId: number) =>
    clocks.isMoving(clocks.has(merchantId) ? merchantId : undefined)
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
  const workAt = createWork(parts, {
    nextOutcomes,
    onDue(merchantId) {
      // A clock that is moved searches for its due work itself.
      if (!isMoving(merchantId)) timeline.wake()
    },
  })
  /** Kinds of due work, in the order in which they run at one moment. */
  const kinds: readonly DueKind[] = [
    createDueExpiries(workAt),
    createDueAuthentications({ workAt }),
    createDueAnswers(workAt),
    createDueCaptures(workAt),
    createDueCharges({ clocks, workAt, chosenResults }),
    deliveries.due,
  ]
  const timeline = createScheduler({ database, clocks, kinds, logger })
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
      attempt: (due: DueItem) => timeline.run(deliveries.due.kind, due),
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

/** Dependencies of due work other than the parts of the gateway. */
type WorkNeeds = Pick<DueWork, 'nextOutcomes'> & { readonly onDue: (merchantId: number) => void }

/** Opens a unit of work that no request started. */
const createWork =
  (
    { given, data, accounts, live: { changes } }: DueWorkParts,
    { nextOutcomes, onDue }: WorkNeeds,
  ): WorkAt =>
  async (merchantId, now) => {
    const { logger, addresses } = given
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
          onDue: () => onDue(merchantId),
          onTransaction(row, events) {
            logger.info({ merchant_id: merchantId, payment: createPaymentLine(row, events) })
            changes.publish({ merchantId, topic: 'transactions', id: row.id })
          },
        },
      })
    )
  }
