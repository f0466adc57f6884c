import type { LinkEnd } from '../../../domain/order/payment-link.ts'
import { readIdInPath } from '../../../operations/read-input.ts'
import {
  type CountedLink,
  findCountedLinks,
  requirePaymentLink,
} from '../../../payments/payment-links.ts'
import { presentPaymentLink } from '../../../serializers/resources.ts'
import { findAll } from '../../../storage/rows.ts'
import { createWork } from '../../http/exchange.ts'
import { html } from '../../pages/html.ts'
import { renderQrPicture } from '../../pages/qr.ts'
import { copied, link, money, renderFoldedFacts, status, time } from '../parts/cells.ts'
import { renderButtonForm } from '../parts/forms.ts'
import { type List, listPages, showList } from '../parts/list.ts'
import {
  formAct,
  type OperationForm,
  renderCreation,
  runFromForm,
} from '../parts/operation-form.ts'
import { newest } from '../parts/resource-lists.ts'
import { listFacts, renderHeading } from '../parts/resource-pages.ts'
import { renderSections } from '../parts/table.ts'
import { withTypedAmount } from '../parts/typed-amount.ts'
import type { ConsolePage, ConsoleView, FormAction, MerchantVisit } from '../visit.ts'

const CREATE: OperationForm = {
  ...{ name: 'links.create', path: '/payment_links', button: 'Create' },
  fields: { amount: { isRequired: true }, currency: { isRequired: true }, description: {} },
  more: {
    payment_ref: {},
    uses: { label: 'Number of payments' },
    expires_at: { label: 'Expires, UTC' },
    plan_id: { label: 'Plan' },
    test: { label: 'Mode', choices: { true: 'test', false: 'live' } },
    success_url: { label: 'Success URL' },
    error_url: { label: 'Error URL', help: 'Address for the payer after a failed payment.' },
  },
  run: (visit) => runFromForm(visit, 'links.create', withTypedAmount(visit.fields)),
  ...{ to: ({ id }) => `/payment_links/${id}`, done: 'saved' },
}

const PLANS = 100

type ShownLink = ReturnType<typeof presentPaymentLink>

const presentLink = ({ response }: MerchantVisit, counted: CountedLink): ShownLink => {
  const { addresses, now } = createWork(response)
  return presentPaymentLink(counted, addresses, now)
}

const LINKS: List<MerchantVisit, ShownLink> = {
  path: 'payment_links',
  title: 'Payment links',
  one: 'payment link',
  live: ['transactions', 'data'],
  columns: [
    ['Id', ({ id }) => id, 'file'],
    [
      'Description',
      ({ id, description: text }, home) =>
        link(text || `Payment link ${id}`, `${home}/payment_links/${id}`),
      'first',
    ],
    ['Address', ({ url }) => copied(url), 'second'],
    ['Amount', ({ amount, currency }) => money(amount, currency), 'first-end'],
    ['Payment ref', ({ payment_ref }) => payment_ref, 'file'],
    ['Used', ({ used, uses }) => (uses === 0 ? used : `${used} of ${uses}`)],
    ['Status', ({ status: state }) => status(state), 'second-end'],
    ['Created', ({ created_at }) => time(created_at)],
  ],
  note: () => html`<p class="quiet">Each link has a fixed amount.
A payer who opens it creates no payment until the button is pressed.</p>`,
  async find(visit, _sent, range) {
    const { db, merchant } = visit
    const own = { merchant_id: merchant.id }
    const rows = await findAll(db, 'payment_links', own, { ...range, newestFirst: true })
    const counted = await findCountedLinks(db, rows)
    return { rows: counted.map((each) => presentLink(visit, each)) }
  },
  creation: createLink,
}

/** Pages of payment links: addresses to pay a fixed amount (decision 99). */
export const PAYMENT_LINK_PAGES: readonly ConsolePage<MerchantVisit>[] = [
  ...listPages(LINKS),
  { path: '/payment_links/:id', show: one },
]

export const PAYMENT_LINK_ACTS: readonly FormAction<MerchantVisit>[] = [
  formAct(CREATE, { show: (visit) => showList(LINKS, visit) }),
  {
    path: '/payment_links/:id/close',
    async act(visit) {
      await runFromForm(visit, 'links.close', {})
      return { to: `/payment_links/${visit.named.id}`, done: 'closed' }
    },
  },
]

async function createLink(visit: MerchantVisit) {
  const { merchant, db } = visit
  const active = { merchant_id: merchant.id, status: 'active' } as const
  const plans = await findAll(db, 'plans', active, { limit: PLANS })
  const choices = { '': 'none', ...Object.fromEntries(plans.map(({ id, name }) => [id, name])) }
  const form = { ...CREATE, more: { ...CREATE.more, plan_id: { label: 'Plan', choices } } }
  const values = { currency: merchant.settings.account_currency, uses: 1, test: true }
  return renderCreation(visit, 'New link', form, { values })
}

/** Reason why a link accepts no more payments. */
const ENDED: Readonly<Record<LinkEnd, string>> = {
  closed: 'This link was closed.',
  expired: 'The time to pay with this link has passed.',
  used_up: 'This link was paid as often as it allows.',
}

async function one(visit: MerchantVisit): Promise<ConsoleView> {
  const { home, named, response } = visit
  const id = readIdInPath(named.id ?? '')
  const link = presentLink(visit, await requirePaymentLink(createWork(response), id))
  const address = html`<p><a href="${link.url}" rel="noopener noreferrer" data-copy>${link.url}</a></p>
`
  return {
    title: `Payment link ${link.id}`,
    live: ['transactions', 'data'],
    heading: renderHeading(money(link.amount, link.currency).text, status(link.status)),
    body: html`${link.description && html`<p>${link.description}</p>`}
${
  link.status === 'active'
    ? html`${address}${renderQrPicture(link.url, 'QR code of the address', 232)}
${renderButtonForm(visit, `${home}/payment_links/${link.id}/close`, 'Close this link')}`
    : html`<p class="callout bad">${ENDED[link.status]} To accept further payments,
<a href="${home}/payment_links?new=true">create a new link</a>.</p>${address}`
}
${renderSections([{ ...(await newest(visit, 'transactions', ['payment_link_id', link.id])), all: null }])}
${renderFoldedFacts('All fields', listFacts(link, home))}`,
  }
}
