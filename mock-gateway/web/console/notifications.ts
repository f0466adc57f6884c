import { wireTime } from '../../presentation/time.ts'
import { findNotifications } from '../../storage/notifications.ts'
import { link, longText, status, time } from './cells.ts'
import { partOf } from './part.ts'
import type { MerchantVisit, Page } from './visit.ts'

/** What the merchant's dashboard tells (specification: Delivery rules 3 and 5). */
export const NOTIFICATIONS_PAGE: Page<MerchantVisit> = {
  path: '/notifications',
  section: 'notifications',
  async show(visit) {
    const { home, merchant, parts } = visit
    const { rows, ...around } = await partOf(visit, `${home}/notifications`, (page) =>
      findNotifications(parts.database.db, merchant.id, page),
    )
    return {
      view: 'part',
      title: 'Notifications',
      data: {
        ...around,
        heads: ['When', 'What', 'Message', 'Delivery'],
        rows: rows.map(({ created_at, kind, message, delivery_id }) => [
          time(wireTime(created_at)),
          status(kind.replace('webhook_', '')),
          longText(message),
          link(delivery_id, `${home}/webhooks/${delivery_id}`),
        ]),
        none: 'Every webhook was taken, or is yet to be tried again.',
      },
    }
  },
}
