import { readId } from '../../../domain/identifiers.ts'
import { readIdInPath } from '../../../operations/read-input.ts'
import { text } from '../../../parsing/parameters/parameters.ts'
import { wireTime } from '../../../serializers/time.ts'
import { findNewest } from '../../../storage/newest.ts'
import { findRow } from '../../../storage/rows.ts'
import type { TemplateRow } from '../../../storage/tables/templates.ts'
import { EVERYBODY, listTemplates } from '../../../storage/templates.ts'
import { failuresOf, needTemplate } from '../../../templates/administer.ts'
import type { TemplatePreview } from '../../../templates/preview.ts'
import { SOURCE_LENGTH, TEMPLATE_KINDS } from '../../../templates/save.ts'
import { workOf } from '../../http/exchange.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { LOOK_OF_MERCHANT, SELF } from '../../pages/policy.ts'
import { codeBlock, factList } from '../parts/cell.ts'
import { type Cell, link, plain, time } from '../parts/cells.ts'
import {
  type ConsoleProblem,
  type FormField,
  type FormFields,
  filledIn,
} from '../parts/form-errors.ts'
import { buttonForm, fieldView, tokenField } from '../parts/forms.ts'
import { runFromForm } from '../parts/operation-form.ts'
import { emptyState, problemBox } from '../parts/problem.ts'
import { table } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleRedirect,
  type ConsoleView,
  type ForeignPage,
  type FormAction,
  fieldsOf,
  type MerchantVisit,
  noRow,
  textsOf,
} from '../visit.ts'
import { STARTERS, type Starter } from './starters.ts'

const section = 'templates'

/** Pages of a merchant's templates in Liquid: pages, mails and partials. */
export const TEMPLATE_PAGES: readonly ConsolePage<MerchantVisit>[] = [
  { path: '/templates', section, show: (visit) => list(visit) },
  { path: '/templates/new', section, show: async (visit) => create(visit) },
  { path: '/templates/look', section, show: lookAtStarter },
  { path: '/templates/:id', section, show: async (visit) => one(visit, await ownTemplate(visit)) },
  { path: '/templates/:id/preview', section, show: preview },
]

export const TEMPLATE_ACTS: readonly FormAction<MerchantVisit>[] = [
  {
    path: '/templates',
    section,
    act: (visit) => save(visit, 'templates.create'),
    again: async (visit, problem) => create(visit, problem),
  },
  { path: '/templates/look', act: lookAtWritten },
  {
    path: '/templates/:id/change',
    section,
    async act(visit) {
      await ownTemplate(visit)
      return save(visit, 'templates.update')
    },
    again: async (visit, problem) => one(visit, await ownTemplate(visit), problem),
  },
  {
    path: '/templates/:id/remove',
    async act(visit) {
      await ownTemplate(visit)
      await runFromForm(visit, 'templates.delete', visit.merchant.id, {})
      return { to: '/templates', done: 'removed' }
    },
  },
]

/** @throws errors.template.not_found (103) */
const ownTemplate = ({ response, named }: MerchantVisit) =>
  needTemplate(workOf(response), readIdInPath(named.id ?? ''))

async function save(visit: MerchantVisit, operation: string): Promise<ConsoleRedirect> {
  const written = fieldsOf(visit)
  // Browsers send line breaks as two characters (HTML, form submission).
  const source = (text(written, 'source') ?? '').replaceAll('\r\n', '\n')
  const saved = await runFromForm(visit, operation, visit.merchant.id, { ...written, source })
  return { to: `/templates/${(saved as { id: number }).id}`, done: 'saved' }
}

const kindNames: Readonly<Record<TemplateRow['kind'], string>> = {
  page: 'Payment page',
  receipt: 'Mail',
  partial: 'Partial template',
}

const isOfFile = ({ merchant_id }: TemplateRow) => merchant_id === EVERYBODY

/** Returns the form's values, as typed or as stored. */
const writtenIn = ({ parameters }: MerchantVisit) => textsOf(parameters, ['name', 'kind', 'source'])

async function list(visit: MerchantVisit): Promise<ConsoleView> {
  const rows = await listTemplates(visit.dependencies.database.db, visit.merchant.id)
  return {
    title: 'Page templates',
    body: html`<p class="quiet">Send the id of a payment page as <code>template_id</code>
to show that page to the payer.</p>
${
  rows.length > 0
    ? table({
        heads: ['Id', 'Name', 'Kind', 'Stored in', 'Changed'],
        places: ['first-end', 'first', 'second', null, 'second-end'],
        rows: rows.map((row): Cell[] => [
          plain(row.id),
          link(row.name, `${visit.home}/templates/${row.id}`),
          plain(kindNames[row.kind]),
          plain(isOfFile(row) ? 'a file, for all merchants' : 'the database'),
          time(wireTime(row.updated_at)),
        ]),
      })
    : emptyState('No templates yet.', html`Start with an example below.`)
}
<h2>A new template</h2>
<p class="presets">Start with ${startersOf(visit).map(
      ({ title, to }) => html`<a class="button" href="${to}">${title}</a> `,
    )}</p>`,
  }
}

const startersOf = ({ home }: MerchantVisit) =>
  [
    ...Object.entries(STARTERS).map(([name, { title }]) => [name, title] as const),
    ['', 'an empty template'] as const,
  ].map(([name, title]) => ({ title, to: `${home}/templates/new${name && `?starter=${name}`}` }))

/** Returns the starter in the address, or an empty one. */
function starterIn({ parameters }: MerchantVisit): Starter {
  const name = text(parameters, 'starter') ?? ''
  return (Object.hasOwn(STARTERS, name) && STARTERS[name]) || EMPTY_PAGE
}

const EMPTY_PAGE: Starter = { title: '', kind: 'page', source: '' }

/** Builds the form of a new template from a starter. @param problem error of the form */
function create(visit: MerchantVisit, problem: ConsoleProblem | null = null): ConsoleView {
  const { home, parameters } = visit
  const { kind, source } = starterIn(visit)
  const starter = new URLSearchParams({ starter: text(parameters, 'starter') ?? '' })
  const { problem: shown, fields } = filledIn(
    FIELDS,
    problem ? writtenIn(visit) : { name: '', kind, source },
    problem,
  )
  const look = `${home}/templates/look?${starter}`
  return {
    title: 'New template',
    frames: true,
    body: html`<p>Start with ${startersOf(visit).map(
      ({ title, to }, index) => html`${index > 0 ? ', ' : null}<a href="${to}">${title}</a>`,
    )}.</p>
${problemBox(shown)}
${editor(visit, `${home}/templates`, fields, look, 'Add')}
<p class="hint">The preview runs no script and sends no form.</p>`,
  }
}

/** Builds the editor with its preview. */
const editor = (
  visit: MerchantVisit,
  to: string,
  fields: readonly FormField[],
  look: string,
  action: string,
): SafeHtml =>
  html`<form class="editor" method="post" action="${to}">${tokenField(visit)}
<div>${fields.map(fieldView)}
<p><button>${action}</button>
<button class="small" formaction="${visit.home}/templates/look" formtarget="look"
  formnovalidate>Show the preview</button></p></div>
${lookFrame(look)}
</form>`

const lookFrame = (look: string): SafeHtml =>
  html`<iframe name="look" title="As payers see it" sandbox src="${look}"></iframe>`

const FIELDS: FormFields<'name' | 'kind' | 'source'> = {
  name: {
    label: 'Name',
    help: 'English letters, digits, _ and -. Other templates include a partial template by its name.',
    isRequired: true,
  },
  kind: {
    label: 'Kind',
    kind: 'choice',
    words: TEMPLATE_KINDS.map((choice) => ({ choice, text: kindNames[choice] })),
  },
  source: { label: 'Source, in Liquid', kind: 'source', isRequired: true },
}

/** @param problem error of the form */
async function one(
  visit: MerchantVisit,
  row: TemplateRow,
  problem: ConsoleProblem | null = null,
): Promise<ConsoleView> {
  const { home, dependencies, response } = visit
  const work = workOf(response)
  const at = `${home}/templates/${row.id}`
  const { problems } = await dependencies.templates.preview(work, row, undefined)
  const failures = await failuresOf(work, row.id)
  const look = `${at}/preview?frame=true`
  const { problem: shown, fields } = filledIn(FIELDS, problem ? writtenIn(visit) : row, problem)
  return {
    title: `Template ${row.id}, ${row.name}`,
    frames: true,
    body: html`${factList([
      { name: 'Kind', ...plain(kindNames[row.kind]) },
      { name: 'Created', ...time(wireTime(row.created_at)) },
      { name: 'Changed', ...time(wireTime(row.updated_at)) },
    ])}
<form class="filters" method="get" action="${at}/preview">
<label>Preview with transaction <input name="transaction_id" inputmode="numeric" size="10"></label>
<button class="small">Preview</button></form>
<p class="hint">A preview runs no script and sends no form.
From other sites it loads only pictures, fonts and styles.</p>
${
  problems.length > 0
    ? html`<h2>Problems</h2>
${table({
  heads: ['Line', 'Problem'],
  rows: problems.map(({ line, message }) => [{ ...plain(line), number: true }, plain(message)]),
})}`
    : null
}
${
  failures.length > 0
    ? html`<h2>Payments whose page failed</h2>
${table({
  heads: ['When', 'Transaction', 'Reason'],
  rows: failures.map(({ created_at, transaction_id, reason }) => [
    time(wireTime(created_at)),
    link(transaction_id, `${home}/transactions/${transaction_id}`),
    plain(String(reason)),
  ]),
})}`
    : null
}
<h2>Source</h2>
${problemBox(shown)}
${
  isOfFile(row)
    ? html`<p class="quiet">This template is a file in the templates folder. Change it there.</p>
<div class="editor">${codeBlock(row.source)}${lookFrame(look)}</div>`
    : html`${editor(visit, `${at}/change`, fields, look, 'Save')}
${buttonForm(visit, `${at}/remove`, 'Delete this template')}`
}
<p><a href="${home}/templates">All page templates</a></p>`,
  }
}

/**
 * Renders a template with or without a transaction, in a sandbox: it runs no scripts and sends
 * nothing. Its images and styles are loaded as for payers.
 */
async function preview(visit: MerchantVisit): Promise<ConsoleView | ForeignPage> {
  const { merchant, parameters, dependencies, response } = visit
  const work = workOf(response)
  const template = await ownTemplate(visit)
  const id = text(parameters, 'transaction_id')
  const named =
    id === undefined
      ? undefined
      : await findRow(work.queries, 'transactions', merchant.id, readId(id))
  if (id !== undefined && !named) throw noRow('transaction', id)
  const framed = parameters.frame !== undefined
  const row = named ?? (framed ? await newestOf(visit) : undefined)
  const look = await dependencies.templates.preview(work, template, row)
  return look.html === null && !framed ? one(visit, template) : sheetOf(look, framed)
}

/** The preview of a page uses the newest transaction. */
const newestOf = ({ merchant, dependencies }: MerchantVisit) =>
  findNewest(dependencies.database.db, 'transactions', merchant.id)

/** Renders a starter. */
async function lookAtStarter(visit: MerchantVisit): Promise<ForeignPage> {
  const { kind, source } = starterIn(visit)
  return lookAtSource(visit, kind, source)
}

/** Renders the form's text before it is stored. */
async function lookAtWritten(visit: MerchantVisit): Promise<ForeignPage> {
  const { kind, source } = writtenIn(visit)
  return lookAtSource(visit, TEMPLATE_KINDS.find((each) => each === kind) ?? 'page', source)
}

async function lookAtSource(
  visit: MerchantVisit,
  kind: TemplateRow['kind'],
  source: string,
): Promise<ForeignPage> {
  if (source.length > SOURCE_LENGTH)
    return sheetOf(
      {
        html: null,
        problems: [{ line: 1, message: `The source has more than ${SOURCE_LENGTH} characters` }],
      },
      true,
    )
  const { templates } = visit.dependencies
  const newest = await newestOf(visit)
  const look = await templates.preview(workOf(visit.response), { kind, source }, newest)
  return sheetOf(look, true)
}

/**
 * Puts a page in a sandbox, where it runs no scripts and sends nothing. @param framed only pages of
 * the console may frame it
 */
function sheetOf({ html: look, problems }: TemplatePreview, framed: boolean): ForeignPage {
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
