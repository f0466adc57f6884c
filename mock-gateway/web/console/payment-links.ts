import { PAYMENT_LINK_FIELDS, readPaymentLink, readPaymentLinkId } from '../../parsing/control/payment-links.ts'
import {
  type CountedLink,
  countedLinks,
  createPaymentLink,
  endPaymentLink,
  needPaymentLink,
} from '../../payments/payment-links.ts'
import { presentPaymentLink } from '../../serializers/payment-link.ts'
import { listPaymentLinks } from '../../storage/payment-links.ts'
import { activePlans } from '../../storage/plans.ts'
import { workOf } from '../http/exchange.ts'
import { maskCardNumbers } from '../http/mask-card-numbers.ts'
import { type Cell, link, money, plain, status, time } from './cells.ts'
import { factsOf } from './details.ts'
import { newest } from './lists.ts'
import { paged } from './paging.ts'
import { qrCodeOf } from './qr.ts'
import { orAgain, type Problem } from './refused-form.ts'
import { withTypedAmount } from './typed-amount.ts'
import { type Act, fieldsOf, type MerchantVisit, type Page, textsOf, type View } from './visit.ts'

const section = 'payment_links'

/** Addresses at which somebody pays a fixed amount (decision 99). */
export const PAYMENT_LINK_PAGES: readonly Page<MerchantVisit>[] = [
  { path: '/payment_links', section, show: (visit) => list(visit) },
  { path: '/payment_links/:id', section, show: one },
]

export const PAYMENT_LINK_ACTS: readonly Act<MerchantVisit>[] = [
  {
    path: '/payment_links',
    section,
    act: (visit) =>
      orAgain(
        visit,
        async () => {
          const work = workOf(visit.response)
          const terms = maskCardNumbers(visit.response, readPaymentLink(withTypedAmount(fieldsOf(visit)), work))
          const { row } = await createPaymentLink(work, terms)
          return { to: `/payment_links/${row.id}`, done: 'saved' }
        },
        (problem) => list(visit, problem),
      ),
  },
  {
    path: '/payment_links/:id/close',
    async act({ response, named }) {
      const { row } = await endPaymentLink(workOf(response), readPaymentLinkId(named.id))
      return { to: `/payment_links/${row.id}`, done: 'closed' }
    },
  },
]

/** Plans that a form lets choose from at most. */
const PLANS = 100

const shown = ({ response }: MerchantVisit, counted: CountedLink) => {
  const { addresses, now } = workOf(response)
  return presentPaymentLink(counted, addresses, now)
}

/** @param problem why the form of a new one was refused */
async function list(visit: MerchantVisit, problem: Problem | null = null): Promise<View> {
  const { home, merchant, parameters, dependencies } = visit
  const { db } = dependencies.database
  const { rows, ...around } = await paged(visit, `${home}/payment_links`, (page) =>
    listPaymentLinks(db, merchant.id, page),
  )
  const counted = await countedLinks(db, rows)
  return {
    view: 'payment_links',
    title: 'Payment links',
    data: {
      ...around,
      heads: ['Id', 'Created', 'For', 'Amount', 'Payment ref', 'Used', 'Status'],
      rows: counted.map((each) => rowOf(shown(visit, each), home)),
      plans: (await activePlans(db, merchant.id, PLANS)).map(({ id, name }) => ({ id: String(id), name })),
      written: problem ? textsOf(parameters, PAYMENT_LINK_FIELDS) : EMPTY(merchant.settings.account_currency),
      problem,
    },
  }
}

const EMPTY = (currency: string) => ({ ...textsOf({}, PAYMENT_LINK_FIELDS), currency, uses: '1', test: 'true' })

const rowOf = (shown: ReturnType<typeof presentPaymentLink>, home: string): Cell[] => [
  link(shown.id, `${home}/payment_links/${shown.id}`),
  time(shown.created_at),
  plain(shown.description),
  money(shown.amount, shown.currency),
  plain(shown.payment_ref),
  plain(shown.uses === 0 ? shown.used : `${shown.used} of ${shown.uses}`),
  status(shown.status),
]

async function one(visit: MerchantVisit): Promise<View> {
  const { home, named, response } = visit
  const link = shown(visit, await needPaymentLink(workOf(response), readPaymentLinkId(named.id)))
  return {
    view: 'payment_link',
    title: `Payment link ${link.id}`,
    live: ['transactions', 'data'],
    data: {
      url: link.url,
      amount: money(link.amount, link.currency).text,
      status: status(link.status),
      description: link.description,
      qr: (link.status === 'active' && qrCodeOf(link.url)) || null,
      close: link.status === 'active' ? `${home}/payment_links/${link.id}/close` : null,
      facts: factsOf(link, home),
      // Its transactions are in no filter of the API.
      lists: [{ ...(await newest(visit, 'transactions', ['payment_link_id', link.id])), all: null }],
    },
  }
}
