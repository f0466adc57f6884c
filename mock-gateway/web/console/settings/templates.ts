import { readId } from '../../../domain/identifiers.ts'
import { readIdInPath } from '../../../operations/read-input.ts'
import { text } from '../../../parsing/parameters/parameters.ts'
import { findOne, findRow } from '../../../storage/rows.ts'
import type { TemplateRow } from '../../../storage/tables/templates.ts'
import { EVERYBODY, listTemplates } from '../../../storage/templates.ts'
import { findFailures, needTemplate } from '../../../templates/administer.ts'
import type { TemplatePreview } from '../../../templates/preview.ts'
import { SOURCE_LENGTH, TEMPLATE_KINDS } from '../../../templates/save.ts'
import { createWork } from '../../http/exchange.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { LOOK_OF_MERCHANT, SELF } from '../../pages/policy.ts'
import { codeBlock, factList, link, plain, timeAt } from '../parts/cells.ts'
import { buttonForm, type FormFields } from '../parts/forms.ts'
import {
  buttonAct,
  formPage,
  type OperationForm,
  operationForm,
  runFromForm,
} from '../parts/operation-form.ts'
import { emptyState } from '../parts/problem.ts'
import { sections, table } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type ForeignPage,
  type FormAction,
  type MerchantVisit,
  noRow,
  readTexts,
} from '../visit.ts'
import { STARTERS, type Starter } from './starters.ts'

const section = 'templates'

const KINDS: Readonly<Record<TemplateRow['kind'], string>> = {
  page: 'Payment page',
  receipt: 'Mail',
  partial: 'Partial template',
}

const FIELDS: FormFields = {
  name: { isRequired: true },
  kind: { choices: KINDS },
  source: { label: 'Source, in Liquid', kind: 'source', help: '', isRequired: true },
}

const CREATE: OperationForm = {
  ...{ name: 'templates.create', path: '/templates/new', section, button: 'Add' },
  fields: FIELDS,
  ...{ to: ({ id }) => `/templates/${id}`, done: 'saved' },
}

const UPDATE: OperationForm = {
  ...{ name: 'templates.update', path: '/templates/:id', section, button: 'Save' },
  fields: FIELDS,
  async run(visit) {
    await ownTemplate(visit)
    return runFromForm(visit, 'templates.update')
  },
  ...{ to: ({ id }) => `/templates/${id}`, done: 'saved' },
}

/** Renders a form next to the preview of its template. @param look address of the first preview */
const editor = (
  visit: MerchantVisit,
  form: OperationForm,
  values: object,
  look: string,
): SafeHtml =>
  operationForm(visit, form, {
    values: { ...values },
    after: html`<button class="small" formaction="${visit.home}/templates/look" formtarget="look"
  formnovalidate>Show the preview</button>`,
    aside: lookFrame(look),
  })

const lookFrame = (look: string): SafeHtml =>
  html`<iframe name="look" title="As payers see it" sandbox src="${look}"></iframe>`

const NEW = formPage(CREATE, async (visit) => {
  const starter = new URLSearchParams({ starter: text<string>(visit.parameters, 'starter') ?? '' })
  const { kind, source } = starterIn(visit)
  return {
    title: 'New template',
    frames: true,
    body: html`<p>Start with ${listStarters(visit).map(
      ({ title, to }, index) => html`${index > 0 ? ', ' : null}<a href="${to}">${title}</a>`,
    )}.</p>
${editor(visit, CREATE, { kind, source }, `${visit.home}/templates/look?${starter}`)}
<p class="hint">The preview runs no script and sends no form.</p>`,
  }
})

const ONE = formPage(UPDATE, async (visit) => {
  const { home, dependencies, response } = visit
  const row = await ownTemplate(visit)
  const work = createWork(response)
  const at = `${home}/templates/${row.id}`
  const { problems } = await dependencies.templates.preview(work, row, undefined)
  const failures = await findFailures(work, row.id)
  const look = `${at}/preview?frame=true`
  return {
    title: `Template ${row.id}, ${row.name}`,
    frames: true,
    body: html`${factList([
      { name: 'Kind', ...plain(KINDS[row.kind]) },
      { name: 'Created', ...timeAt(row.created_at) },
      { name: 'Changed', ...timeAt(row.updated_at) },
    ])}
<form class="filters" method="get" action="${at}/preview">
<label>Preview with transaction <input name="transaction_id" inputmode="numeric" size="10"></label>
<button class="small">Preview</button></form>
<p class="hint">A preview runs no script and sends no form.
From other sites it loads only pictures, fonts and styles.</p>
${sections(
  [
    {
      title: 'Problems',
      heads: ['Line', 'Problem'],
      rows: problems.map(({ line, message }) => [{ ...plain(line), number: true }, plain(message)]),
    },
    {
      title: 'Payments whose page failed',
      heads: ['When', 'Transaction', 'Reason'],
      rows: failures.map(({ created_at, transaction_id, reason }) => [
        timeAt(created_at),
        link(transaction_id, `${home}/transactions/${transaction_id}`),
        plain(String(reason)),
      ]),
    },
  ].filter(({ rows }) => rows.length > 0),
)}
<h2>Source</h2>
${
  isOfFile(row)
    ? html`<p class="quiet">This template is a file in the templates folder. Change it there.</p>
<div class="editor">${codeBlock(row.source)}${lookFrame(look)}</div>`
    : html`${editor(visit, UPDATE, row, look)}
${buttonForm(visit, `${at}/remove`, 'Delete this template')}`
}`,
  }
})

/** Pages of a merchant's templates in Liquid: pages, mails and partials. */
export const TEMPLATE_PAGES: readonly ConsolePage<MerchantVisit>[] = [
  { path: '/templates', section, show: list },
  NEW.page,
  {
    path: '/templates/look',
    section,
    show: async (visit) => lookAtSource(visit, starterIn(visit)),
  },
  ONE.page,
  { path: '/templates/:id/preview', section, show: preview },
]

export const TEMPLATE_ACTS: readonly FormAction<MerchantVisit>[] = [
  NEW.act,
  {
    path: '/templates/look',
    act: async (visit) => lookAtSource(visit, readTexts(visit.parameters, ['kind', 'source'])),
  },
  ONE.act,
  buttonAct('/templates/:id/remove', 'templates.delete', { to: '/templates', done: 'removed' }),
]

const isOfFile = ({ merchant_id }: TemplateRow) => merchant_id === EVERYBODY

async function list(visit: MerchantVisit): Promise<ConsoleView> {
  const rows = await listTemplates(visit.dependencies.database.db, visit.merchant.id)
  return {
    title: 'Page templates',
    body: html`<p class="quiet">Send the id of a payment page as <code>template_id</code>
to show that page to the payer.</p>
${table({
  heads: ['Id', 'Name', 'Kind', 'Stored in', 'Changed'],
  places: ['first-end', 'first', 'second', null, 'second-end'],
  rows: rows.map((row) => [
    plain(row.id),
    link(row.name, `${visit.home}/templates/${row.id}`),
    plain(KINDS[row.kind]),
    plain(isOfFile(row) ? 'a file, for all merchants' : 'the database'),
    timeAt(row.updated_at),
  ]),
  empty: emptyState('No templates yet.', html`Start with an example below.`),
})}
<h2>A new template</h2>
<p class="presets">Start with ${listStarters(visit).map(
      ({ title, to }) => html`<a class="button small" href="${to}">${title}</a> `,
    )}</p>`,
  }
}

const listStarters = ({ home }: MerchantVisit) =>
  [...Object.entries(STARTERS), ['', { title: 'an empty template' }] as const].map(
    ([name, { title }]) => ({ title, to: `${home}/templates/new${name && `?starter=${name}`}` }),
  )

/** @throws errors.template.not_found (103) */
const ownTemplate = ({ response, named }: MerchantVisit): Promise<TemplateRow> =>
  needTemplate(createWork(response), readIdInPath(named.id ?? ''))

/** Returns the starter in the address, or an empty one. */
function starterIn({ parameters }: MerchantVisit): Starter {
  const name = text<string>(parameters, 'starter') ?? ''
  return (Object.hasOwn(STARTERS, name) && STARTERS[name]) || EMPTY_PAGE
}

const EMPTY_PAGE: Starter = { title: '', kind: 'page', source: '' }

/**
 * Renders a template with or without a transaction, in a sandbox: it runs no scripts and sends
 * nothing. Its images and styles are loaded as for payers.
 */
async function preview(visit: MerchantVisit): Promise<ForeignPage> {
  const { merchant, parameters, dependencies, response } = visit
  const work = createWork(response)
  const template = await ownTemplate(visit)
  const id = text(parameters, 'transaction_id')
  const named =
    id === undefined
      ? undefined
      : await findRow(work.queries, 'transactions', merchant.id, readId(id))
  if (id !== undefined && !named) throw noRow('transaction', id)
  const framed = parameters.frame !== undefined
  const row = named ?? (framed ? await findNewestPayment(visit) : undefined)
  const look = await dependencies.templates.preview(work, template, row)
  return renderPreview(look, framed)
}

/** The preview of a page uses the newest transaction. */
const findNewestPayment = ({ merchant, dependencies }: MerchantVisit) =>
  findOne(
    dependencies.database.db,
    'transactions',
    { merchant_id: merchant.id },
    { newestFirst: true },
  )

/** Renders a starter, or the form's text before it is stored. */
async function lookAtSource(
  visit: MerchantVisit,
  written: { readonly kind: string; readonly source: string },
): Promise<ForeignPage> {
  const { source } = written
  const kind = TEMPLATE_KINDS.find((each) => each === written.kind) ?? 'page'
  if (source.length > SOURCE_LENGTH)
    return renderPreview(
      {
        html: null,
        problems: [{ line: 1, message: `The source has more than ${SOURCE_LENGTH} characters` }],
      },
      true,
    )
  const { templates } = visit.dependencies
  const newest = await findNewestPayment(visit)
  const look = await templates.preview(createWork(visit.response), { kind, source }, newest)
  return renderPreview(look, true)
}

/**
 * Puts a page in a sandbox, where it runs no scripts and sends nothing. @param framed only pages of
 * the console may frame it
 */
function renderPreview({ html: look, problems }: TemplatePreview, framed: boolean): ForeignPage {
  return {
    html: look ?? String(noLook(problems)),
    policy: { ...LOOK_OF_MERCHANT, ...(framed && { 'frame-ancestors': [SELF] }), sandbox: true },
  }
}

/** Shows why a page cannot be rendered. */
const noLook = (problems: TemplatePreview['problems']): SafeHtml => html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>No preview</title></head>
<body>
<p>The template cannot be shown:</p>
<ul>${problems.map(({ line, message }) => html`<li>Line ${line}: ${message}</li>`)}</ul>
</body>
</html>
`
