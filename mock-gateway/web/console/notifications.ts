import { wireTime } from '../../serializers/time.ts'
import { newestRows } from '../../storage/newest.ts'
import type { NotificationRow } from '../../storage/tables/notifications.ts'
import { html } from '../pages/html.ts'
import { link, longText, status, time } from './cells.ts'
import { emptyState } from './design/empty.ts'
import { pager } from './design/list.ts'
import { type Table, table } from './design/table.ts'
import { ofNewest, paged } from './paging.ts'
import type { ConsolePage, MerchantVisit } from './visit.ts'

/** Page of the merchant's notifications (specification: Delivery rules 3 and 5). */
export const NOTIFICATIONS_PAGE: ConsolePage<MerchantVisit> = {
  path: '/notifications',
  section: 'notifications',
  async show(visit) {
    const { home, merchant, dependencies } = visit
    const { rows, ...around } = await paged(visit, `${home}/notifications`, (page) =>
      newestRows(dependencies.database.db, 'notifications', merchant.id, page),
    )
    return {
      title: 'Notifications',
      live: ofNewest(around, ['webhooks']),
      body: html`${rows.length > 0 ? table(tableOf(rows, home)) : emptyState('No failed webhooks.')}
${pager(around)}`,
    }
  },
}

const tableOf = (rows: readonly NotificationRow[], home: string): Table => ({
  heads: ['When', 'What', 'Message', 'Delivery'],
  rows: rows.map(({ created_at, kind, message, delivery_id }) => [
    time(wireTime(created_at)),
    status(kind.replace('webhook_', '')),
    longText(message),
    link(delivery_id, `${home}/webhooks/${delivery_id}`),
  ]),
})
