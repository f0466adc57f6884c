import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import type { Transaction, Webhook } from '../../../mock-gateway/contract/wire.ts'
import { type Database, openDatabase } from '../../../mock-gateway/storage/database.ts'
import { resetData } from '../../../mock-gateway/storage/reset.ts'
import type { NotificationRow } from '../../../mock-gateway/storage/tables/notifications.ts'
import type { WebhookAttemptRow } from '../../../mock-gateway/storage/tables/webhook-attempts.ts'
import type { FullDelivery } from '../../../mock-gateway/storage/tables/webhook-deliveries.ts'
import { findAttempts } from '../../../mock-gateway/storage/webhook-attempts.ts'
import { withBodies } from '../../../mock-gateway/storage/webhook-deliveries.ts'
import {
  type Fields,
  payment,
  startGateway,
  type TestGateway,
  type TestGatewayOptions,
} from '../../helpers/gateway.ts'
import { openSink, type Sink, until } from '../../helpers/sink.ts'
import { DATABASES, filePlace, type Place } from '../storage/databases.ts'

/** Gateway with the server of a shop that receives its webhooks, and access to the data. */
export interface Shop extends TestGateway {
  readonly sink: Sink
  readonly database: Database
  /** Place of the data, for a second gateway. */
  readonly target: string
  /** Pays with a webhook to the sink. */
  pay(hook?: object, fields?: Fields): Promise<Transaction>
  deliveries(): Promise<FullDelivery[]>
  attempts(): Promise<WebhookAttemptRow[]>
  notifications(): Promise<NotificationRow[]>
  /** Resolves when this number of attempts is stored. */
  attempted(count: number): Promise<WebhookAttemptRow[]>
  webhook(transaction: Transaction): Promise<Webhook>
}

/**
 * Opens a shop with stopped clocks, which only the test moves. Closing the shop also deletes its
 * data and closes its sink.
 */
export async function openShop(
  options: TestGatewayOptions = {},
  place?: Place,
  sink?: Sink,
): Promise<Shop> {
  const own = place ?? (await filePlace())
  const target = sink ?? (await openSink())
  const gateway = await startGateway({ database: own.target, webhooks: {}, ...options })
  const database = await openDatabase(own.target)
  const deliveries = async () => {
    const rows = await database.db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .orderBy('id')
      .execute()
    return withBodies(database.db, rows)
  }
  let isClosed = false
  const attempts = async () =>
    findAttempts(
      database.db,
      (await deliveries()).map(({ id }) => id),
    )
  return {
    ...gateway,
    sink: target,
    database,
    target: own.target,
    async pay(hook = {}, fields = {}) {
      const webhook = JSON.stringify({ trigger: 'payment', url: target.url, ...hook })
      return (await gateway.post<Transaction>('/v1/transactions', payment({ webhook, ...fields })))
        .body
    },
    deliveries,
    attempts,
    notifications: () =>
      database.db.selectFrom('notifications').selectAll().orderBy('id').execute(),
    attempted: (count) =>
      until(async () => {
        const made = await attempts()
        return made.length >= count && made
      }),
    webhook: async (transaction) =>
      (await gateway.get<Webhook>(`/v1/webhooks/${transaction.webhooks[0]?.id}`)).body,
    async close() {
      if (isClosed) return
      isClosed = true
      await target.close()
      await gateway.close()
      await database.close()
      await own.remove()
    },
  }
}

/** Opens a shop like `openShop`, and closes it after the test. */
export async function openTestShop(...given: Parameters<typeof openShop>): Promise<Shop> {
  const shop = await openShop(...given)
  onTestFinished(shop.close)
  return shop
}

/**
 * Runs the same tests on both databases. Each database is created once, and emptied after each
 * test.
 */
export function onBothDatabases(
  define: (open: (options?: TestGatewayOptions, sink?: Sink) => Promise<Shop>) => void,
): void {
  describe.each(DATABASES)('%s', (_name, make) => {
    let place: Place
    let database: Database
    beforeAll(async () => {
      place = await make()
      database = await openDatabase(place.target)
    })
    afterAll(async () => {
      await database.close()
      await place.remove()
    })
    const remove = async () => {
      await resetData(database)
      for (const table of ['templates', 'clocks'] as const)
        await database.db.deleteFrom(table).execute()
    }
    define((options, sink) => {
      const { target } = place
      return openTestShop({ database: target, ...options }, { target, remove }, sink)
    })
  })
}
