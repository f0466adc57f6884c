import { newest } from './lists.ts'
import { REQUEST_HEADS, requestRow } from './requests.ts'
import type { MerchantVisit, Page } from './visit.ts'

/** What a merchant's pages begin with: what happened last, and what did not. */
export const OVERVIEW_PAGE: Page<MerchantVisit> = {
  path: '',
  section: '',
  async show(visit) {
    const refused = visit.parts.recentRequests.of(visit.merchant.id).filter(({ error }) => error !== null)
    const lists = [
      await newest(visit, 'transactions'),
      {
        title: 'Refused requests',
        heads: REQUEST_HEADS,
        rows: refused.slice(0, MOST_REFUSED).map(requestRow),
        total: refused.length,
        all: `${visit.home}/requests?refused=true`,
      },
      await newest(visit, 'subscriptions'),
    ]
    return { view: 'overview', title: visit.merchant.name, data: { lists } }
  },
}

const MOST_REFUSED = 5
