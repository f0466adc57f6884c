import { newest } from './lists.ts'
import type { MerchantVisit, Page } from './visit.ts'

/** What a merchant's pages begin with: what happened last. */
export const OVERVIEW_PAGE: Page<MerchantVisit> = {
  path: '',
  section: '',
  async show(visit) {
    const lists = [await newest(visit, 'transactions'), await newest(visit, 'subscriptions')]
    return { view: 'overview', title: visit.merchant.name, data: { lists } }
  },
}
