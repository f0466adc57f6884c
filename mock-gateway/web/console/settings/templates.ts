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
import { renderCodeBlock } from '../../pages/messages.ts'
import { sendHtml } from '../../pages/page.ts'
import { LOOK_OF_MERCHANT, SELF } from '../../pages/policy.ts'
import { link, renderFacts, timeAt, toCell } from '../parts/cells.ts'
import { type FormFields, renderButtonForm } from '../parts/forms.ts'
import { CONSOLE_HEADERS } from '../parts/frame.ts'
import {
  buttonAct,
  formPage,
  type OperationForm,
  renderOperationForm,
  runFromForm,
} from '../parts/operation-form.ts'
import { renderEmptyState } from '../parts/problem.ts'
import { type Column, fill, renderSections, renderTable } from '../parts/table.ts'
import {
  type ConsoleRoute,
  type ConsoleView,
  type MerchantVisit,
  noRow,
  type OtherAnswer,
  readTexts,
} from '../visit.ts'
import { STARTERS, type Starter } from './starters.ts'

const path = '/templates'

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

const ABOUT = html`Send the id of a payment page as <code>template_id</code> to show it to the payer.`

const CREATE: OperationForm = {
  ...{ name: 'templates.create', path: `${path}/new`, button: 'Add' },
  fields: FIELDS,
  ...{ to: ({ id }) => `${path}/${id}`, done: 'saved' },
}

const UPDATE: OperationForm = {
  ...CREATE,
  ...{ name: 'templates.update', path: `${path}/:id`, button: 'Save' },
  async run(visit) {
    await ownTemplate(visit)
    return runFromForm(visit, 'templates.update')
  },
}

/** Renders a form next to the preview of its template. @param look address of the first preview */
const renderEditor = (
  visit: MerchantVisit,
  form: OperationForm,
  values: object,
  look: string,
): SafeHtml =>
  renderOperationForm(visit, form, {
    values: { ...values },
    after: html`<button class="small" formaction="${visit.home}/templates/look" formtarget="look"
  formnovalidate>Show the preview</button>`,
    aside: html`<div><h2>Preview</h2>${lookFrame(look)}</div>`,
  })

const lookFrame = (look: string): SafeHtml =>
  html`<iframe name="look" title="As payers see it" sandbox src="${look}"></iframe>`

/** Pages of a merchant's templates in Liquid: pages, mails and partials. */
export const TEMPLATE_PAGES: readonly ConsoleRoute<MerchantVisit>[] = [
  { path, show: list },
  ...formPage(CREATE, showNew),
  { path: `${path}/look`, show: async (visit) => previewSource(visit, starterIn(visit)) },
  {
    path: `${path}/look`,
    act: async (visit) => previewSource(visit, readTexts(visit.parameters, ['kind', 'source'])),
  },
  ...formPage(UPDATE, showOne),
  { path: `${path}/:id/preview`, show: preview },
  buttonAct(`${path}/:id/remove`, 'templates.delete', { to: path, done: 'removed' }),
]

async function list({ db, merchant, home }: MerchantVisit): Promise<ConsoleView> {
  const rows = await listTemplates(db, merchant.id)
  return {
    title: 'Page templates',
    actions: html`<a class="button" href="${home}/templates/new">New template</a>`,
    body: renderTable({
      ...fill(COLUMNS, rows, home),
      empty: renderEmptyState('No templates yet.', ABOUT),
    }),
  }
}

const COLUMNS: readonly Column<TemplateRow>[] = [
  ['Id', ({ id }) => id, 'first-end'],
  ['Name', ({ id, name }, home) => link(name, `${home}/templates/${id}`), 'first'],
  ['Kind', ({ kind }) => KINDS[kind], 'second'],
  ['Stored in', (row) => (isOfFile(row) ? 'a file, for all merchants' : 'the database')],
  ['Changed', ({ updated_at }) => timeAt(updated_at), 'second-end'],
]

const isOfFile = ({ merchant_id }: TemplateRow) => merchant_id === EVERYBODY

async function showNew(visit: MerchantVisit): Promise<ConsoleView> {
  const { home, parameters } = visit
  const starter = new URLSearchParams({ starter: text<string>(parameters, 'starter') ?? '' })
  const { kind, source } = starterIn(visit)
  return {
    title: 'New template',
    frames: true,
    body: html`<p>Start with ${listStarters(home).map(
      ({ title, to }, index) => html`${index > 0 ? ', ' : null}<a href="${to}">${title}</a>`,
    )}.</p>
${renderEditor(visit, CREATE, { kind, source }, `${home}/templates/look?${starter}`)}
<p class="hint">The preview runs no script and sends no form.</p>`,
  }
}

async function showOne(visit: MerchantVisit): Promise<ConsoleView> {
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
    body: html`${renderFacts({
      Kind: KINDS[row.kind],
      Created: timeAt(row.created_at),
      Changed: timeAt(row.updated_at),
    })}
<form class="row filters" method="get" action="${at}/preview">
<label>Preview with transaction <input name="transaction_id" inputmode="numeric" size="10"></label>
<button class="small">Preview</button></form>
<p class="hint">A preview runs no script and sends no form.
From other sites it loads only pictures, fonts and styles.</p>
${renderSections(
  [
    { title: 'Problems', ...fill(PROBLEMS, problems, home) },
    { title: 'Payments whose page failed', ...fill(FAILURES, failures, home) },
  ].filter(({ rows }) => rows.length > 0),
)}
<h2>Source</h2>
${
  isOfFile(row)
    ? html`<p class="quiet">This template is a file in the templates folder. Change it there.</p>
<div class="columns">${renderCodeBlock(row.source)}${lookFrame(look)}</div>`
    : html`${renderEditor(visit, UPDATE, row, look)}
${renderButtonForm(visit, `${at}/remove`, 'Delete this template')}`
}`,
  }
}

const PROBLEMS: readonly Column<TemplatePreview['problems'][number]>[] = [
  ['Line', ({ line }) => ({ ...toCell(line), number: true })],
  ['Problem', ({ message }) => message],
]

const FAILURES: readonly Column<Awaited<ReturnType<typeof findFailures>>[number]>[] = [
  ['When', ({ created_at }) => timeAt(created_at)],
  [
    'Transaction',
    ({ transaction_id }, home) => link(transaction_id, `${home}/transactions/${transaction_id}`),
  ],
  ['Reason', ({ reason }) => String(reason)],
]

const listStarters = (home: string) =>
  Object.entries({ ...STARTERS, '': { title: 'an empty template' } }).map(([name, { title }]) => ({
    title,
    to: `${home}/templates/new${name && `?starter=${name}`}`,
  }))

/** @throws errors.template.not_found (103) */
const ownTemplate = ({ response, named }: MerchantVisit): Promise<TemplateRow> =>
  needTemplate(createWork(response), readIdInPath(named.id ?? ''))

/** Returns the starter in the address, or an empty one. */
function starterIn({ parameters }: MerchantVisit): Pick<Starter, 'kind' | 'source'> {
  const name = text<string>(parameters, 'starter') ?? ''
  return (Object.hasOwn(STARTERS, name) && STARTERS[name]) || { kind: 'page', source: '' }
}

/** Renders a stored template with a transaction or, next to its source, with the newest one. */
async function preview(visit: MerchantVisit): Promise<OtherAnswer> {
  const { merchant, parameters, dependencies, response, db } = visit
  const template = await ownTemplate(visit)
  const id = text(parameters, 'transaction_id')
  const isFramed = parameters.frame !== undefined
  const named = id && (await findRow(db, 'transactions', merchant.id, readId(id)))
  if (id !== undefined && !named) throw noRow('transaction', id)
  const row = named || (isFramed ? await findNewestPayment(visit) : undefined)
  const look = await dependencies.templates.preview(createWork(response), template, row)
  return renderPreview(look, isFramed)
}

/** The preview of a page uses the newest transaction. */
const findNewestPayment = ({ merchant, db }: MerchantVisit) =>
  findOne(db, 'transactions', { merchant_id: merchant.id }, { newestFirst: true })

async function previewSource(
  visit: MerchantVisit,
  { kind: typed, source }: { readonly kind: string; readonly source: string },
): Promise<OtherAnswer> {
  const kind = TEMPLATE_KINDS.find((each) => each === typed) ?? 'page'
  if (source.length > SOURCE_LENGTH) {
    const message = `The source has more than ${SOURCE_LENGTH} characters`
    return renderPreview({ html: null, problems: [{ line: 1, message }] }, true)
  }
  const newest = await findNewestPayment(visit)
  const work = createWork(visit.response)
  const { templates } = visit.dependencies
  return renderPreview(await templates.preview(work, { kind, source }, newest), true)
}

/**
 * Puts a page in a sandbox, where it runs no scripts and sends nothing. Its images and styles are
 * loaded as for payers. @param isFramed only pages of the console may frame it
 */
const renderPreview =
  ({ html: look, problems }: TemplatePreview, isFramed: boolean): OtherAnswer =>
  (response) =>
    sendHtml(response, look ?? String(renderNoLook(problems)), {
      policy: {
        ...LOOK_OF_MERCHANT,
        ...(isFramed && { 'frame-ancestors': [SELF] }),
        sandbox: true,
      },
      headers: CONSOLE_HEADERS,
    })

const renderNoLook = (problems: TemplatePreview['problems']): SafeHtml => html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>No preview</title></head>
<body>
<p>The template cannot be shown:</p>
<ul>${problems.map(({ line, message }) => html`<li>Line ${line}: ${message}</li>`)}</ul>
</body>
</html>
`
