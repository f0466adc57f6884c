import { findingLines } from './findings.ts'
import { newest } from './lists.ts'
import { newestNotifications } from './notifications.ts'
import { newestRefused } from './requests.ts'
import type { MerchantVisit, Page } from './visit.ts'

/** What a merchant's pages begin with: what happened last, and what did not (specification: Delivery rules 3 and 5). */
export const OVERVIEW_PAGE: Page<MerchantVisit> = {
  path: '',
  section: '',
  async show(visit) {
    const lists = [
      await newest(visit, 'transactions'),
      await newestRefused(visit, MOST),
      await findingLines(visit),
      await newestNotifications(visit, MOST),
      await newest(visit, 'subscriptions'),
    ]
    return {
      view: 'overview',
      title: visit.merchant.name,
      live: ['transactions', 'requests', 'webhooks', 'data'],
      data: { lists },
    }
  },
}

/** Lines of what did not work. */
const MOST = 5
