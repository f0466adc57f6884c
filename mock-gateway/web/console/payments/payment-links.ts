import type { LinkEnd } from '../../../domain/order/payment-link.ts'
import { readIdInPath } from '../../../operations/read-input.ts'
import { operationNamed } from '../../../operations/table.ts'
import { type CountedLink, countedLinks, needPaymentLink } from '../../../payments/payment-links.ts'
import { presentPaymentLink } from '../../../serializers/payment-link.ts'
import { listPaymentLinks } from '../../../storage/payment-links.ts'
import { activePlans } from '../../../storage/plans.ts'
import { workOf } from '../../http/exchange.ts'
import { html } from '../../pages/html.ts'
import { qrPicture } from '../../pages/qr.ts'
import { cell, factList } from '../parts/cell.ts'
import { type Cell, link, money, plain, status, time } from '../parts/cells.ts'
import { factsOf } from '../parts/details.ts'
import { pager } from '../parts/filters.ts'
import { type ConsoleProblem, type FormFields, filledIn } from '../parts/form-errors.ts'
import { buttonForm, foldedForm, formView } from '../parts/forms.ts'
import { newest } from '../parts/lists.ts'
import { formOf, runFromForm } from '../parts/operation-form.ts'
import { paged } from '../parts/paging.ts'
import { emptyState } from '../parts/problem.ts'
import { sections, table } from '../parts/table.ts'
import { withTypedAmount } from '../parts/typed-amount.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type FormAction,
  fieldsOf,
  type MerchantVisit,
  textsOf,
} from '../visit.ts'

const section = 'payment_links'

/** Pages of payment links: addresses to pay a fixed amount (decision 99). */
export const PAYMENT_LINK_PAGES: readonly ConsolePage<MerchantVisit>[] = [
  { path: '/payment_links', section, show: (visit) => list(visit) },
  { path: '/payment_links/:id', section, show: one },
]

export const PAYMENT_LINK_ACTS: readonly FormAction<MerchantVisit>[] = [
  {
    path: '/payment_links',
    section,
    async act(visit) {
      const sent = withTypedAmount(fieldsOf(visit))
      const made = await runFromForm(visit, CREATE.name, visit.merchant.id, sent)
      return { to: `/payment_links/${(made as { id: number }).id}`, done: 'saved' }
    },
    again: (visit, problem) => list(visit, problem),
  },
  {
    path: '/payment_links/:id/close',
    async act(visit) {
      await runFromForm(visit, 'links.close', visit.merchant.id, {})
      return { to: `/payment_links/${visit.named.id}`, done: 'closed' }
    },
  },
]

const CREATE = operationNamed('links.create')

/** Fields of a new link, in pairs. */
const { amount, currency, description, ...RARE } = formOf(CREATE, {
  amount: { help: 'For example 100.00.', isRequired: true, usual: null },
  currency: { isRequired: true, usual: null },
  description: { help: 'For the payer, at most 150 characters.', usual: null },
  payment_ref: {
    label: 'Payment ref',
    help: 'For example order-{n}: {n} becomes the number of the payment.',
  },
  uses: { label: 'Number of payments', help: '0: any number.' },
  expires_at: {
    label: 'Expires, UTC',
    help: 'For example 2026-04-01T12:00:00Z. Empty: never.',
  },
  plan_id: { label: 'Plan', kind: 'choice' },
  test: {
    label: 'Mode',
    choices: [],
    words: [
      { choice: 'true', text: 'test' },
      { choice: 'false', text: 'live' },
    ],
  },
  success_url: { label: 'Success URL', help: 'Address in your shop after a payment.' },
  error_url: { label: 'Error URL', help: 'Address in your shop after a failed payment.' },
})
const FIELDS: FormFields = { amount, currency, description, ...RARE }
const FIELD_NAMES = Object.keys(FIELDS)

const NO_PLAN = { choice: '', text: 'none' }

/** Maximum plans in a form. */
const PLANS = 100

const presentLink = ({ response }: MerchantVisit, counted: CountedLink) => {
  const { addresses, now } = workOf(response)
  return presentPaymentLink(counted, addresses, now)
}

/** @param problem error of the form */
async function list(
  visit: MerchantVisit,
  problem: ConsoleProblem | null = null,
): Promise<ConsoleView> {
  const { home, merchant, parameters, dependencies } = visit
  const { db } = dependencies.database
  const { rows, ...around } = await paged(visit, `${home}/payment_links`, (page) =>
    listPaymentLinks(db, merchant.id, page),
  )
  const counted = await countedLinks(db, rows)
  const written = problem
    ? textsOf(parameters, FIELD_NAMES)
    : EMPTY(merchant.settings.account_currency)
  const planWords = (await activePlans(db, merchant.id, PLANS)).map(({ id, name }) => ({
    choice: String(id),
    text: name,
  }))
  return {
    title: 'Payment links',
    body: html`<p class="quiet">Payers pay a fixed amount at the address of a link.
Opening the address creates no payment; pressing its button does.</p>
${
  counted.length > 0
    ? table({
        heads: ['Id', 'Created', 'Description', 'Amount', 'Payment ref', 'Used', 'Status'],
        places: ['first', 'second', null, 'first-end', null, null, 'second-end'],
        rows: counted.map((each) => rowOf(presentLink(visit, each), home)),
      })
    : emptyState('No payment links yet.', html`Create one below, then open its address.`)
}
${pager(around)}
${foldedForm(
  'New link',
  formView({
    formToken: visit.formToken,
    to: `${home}/payment_links`,
    ...filledIn(
      { ...FIELDS, plan_id: { ...FIELDS.plan_id, words: [NO_PLAN, ...planWords] } } as FormFields,
      written,
      problem,
    ),
    button: 'Create',
  }),
  problem !== null,
)}`,
  }
}

const EMPTY = (currency: string): Record<string, string> => ({
  ...textsOf({}, FIELD_NAMES),
  currency,
  uses: '1',
  test: 'true',
})

const rowOf = (shown: ReturnType<typeof presentPaymentLink>, home: string): Cell[] => [
  link(shown.id, `${home}/payment_links/${shown.id}`),
  time(shown.created_at),
  plain(shown.description),
  money(shown.amount, shown.currency),
  plain(shown.payment_ref),
  plain(shown.uses === 0 ? shown.used : `${shown.used} of ${shown.uses}`),
  status(shown.status),
]

/** Reason why a link accepts no more payments. */
const ENDED: Readonly<Record<LinkEnd, string>> = {
  closed: 'This link was closed.',
  expired: 'The time to pay with this link has passed.',
  used_up: 'This link was paid as often as it allows.',
}

async function one(visit: MerchantVisit): Promise<ConsoleView> {
  const { home, named, response } = visit
  const link = presentLink(
    visit,
    await needPaymentLink(workOf(response), readIdInPath(named.id ?? '')),
  )
  const isActive = link.status === 'active'
  return {
    title: `Payment link ${link.id}`,
    live: ['transactions', 'data'],
    heading: html`<span class="amount">${money(link.amount, link.currency).text}
${cell(status(link.status))}</span>`,
    body: html`${link.description && html`<p>${link.description}</p>`}
${
  link.status === 'active'
    ? null
    : html`<p class="callout bad">${ENDED[link.status]} To accept further payments,
<a href="${home}/payment_links">create a new link</a>.</p>`
}
<p><a href="${link.url}" rel="noopener noreferrer" data-copy>${link.url}</a></p>
${isActive ? qrPicture(link.url, 'QR code of the address', 232) : null}
${isActive ? buttonForm(visit, `${home}/payment_links/${link.id}/close`, 'Close this link') : null}
${sections([{ ...(await newest(visit, 'transactions', ['payment_link_id', link.id])), all: null }])}
<details><summary>All fields</summary>
${factList(factsOf(link, home))}</details>`,
  }
}
