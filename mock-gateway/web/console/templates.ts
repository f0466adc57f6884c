import { readId } from '../../domain/identifiers.ts'
import { readTemplateId, readWrittenTemplate } from '../../parsing/control/templates.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import { wireTime } from '../../serializers/time.ts'
import { findNewest } from '../../storage/newest.ts'
import { findRow } from '../../storage/rows.ts'
import type { TemplateRow } from '../../storage/tables/templates.ts'
import { EVERYBODY, listTemplates } from '../../storage/templates.ts'
import { deleteTemplate, failuresOf, type Look, lookAt, needTemplate, putTemplate } from '../../templates/administer.ts'
import { prepare } from '../../templates/prepare.ts'
import { TEMPLATE_KINDS } from '../../templates/save.ts'
import { SOURCE_LENGTH } from '../../templates/source-length.ts'
import { workOf } from '../http/exchange.ts'
import { LOOK_OF_MERCHANT, SELF } from '../pages/policy.ts'
import { type Cell, link, plain, time } from './cells.ts'
import { type FormFields, filledIn, orAgain, type Problem } from './refused-form.ts'
import { STARTERS, type Starter } from './starters.ts'
import {
  type Act,
  fieldsOf,
  type MerchantVisit,
  noRow,
  type Onward,
  type Page,
  type Sheet,
  textsOf,
  type View,
} from './visit.ts'

const section = 'templates'

/** Pages that merchants wrote in Liquid, and mails and parts of them. */
export const TEMPLATE_PAGES: readonly Page<MerchantVisit>[] = [
  { path: '/templates', section, show: (visit) => list(visit) },
  { path: '/templates/new', section, show: async (visit) => create(visit) },
  { path: '/templates/look', section, show: lookAtStarter },
  { path: '/templates/:id', section, show: async (visit) => one(visit, await ownTemplate(visit)) },
  { path: '/templates/:id/preview', section, show: preview },
]

export const TEMPLATE_ACTS: readonly Act<MerchantVisit>[] = [
  {
    path: '/templates',
    section,
    act: (visit) =>
      orAgain(
        visit,
        () => save(visit, undefined),
        async (problem) => create(visit, problem),
      ),
  },
  { path: '/templates/look', act: lookAtWritten },
  {
    path: '/templates/:id/change',
    section,
    async act(visit) {
      const row = await ownTemplate(visit)
      return orAgain(
        visit,
        () => save(visit, row.id),
        (problem) => one(visit, row, problem),
      )
    },
  },
  {
    path: '/templates/:id/remove',
    async act(visit) {
      await deleteTemplate(workOf(visit.response), readTemplateId(visit.named.id))
      return { to: '/templates', done: 'removed' }
    },
  },
]

/** @throws errors.template.not_found (103) */
const ownTemplate = ({ response, named }: MerchantVisit) => needTemplate(workOf(response), readTemplateId(named.id))

async function save(visit: MerchantVisit, id: number | undefined): Promise<Onward> {
  const written = readWrittenTemplate(fieldsOf(visit))
  // A browser sends every end of a line as two characters (HTML, form submission).
  const source = written.source.replaceAll('\r\n', '\n')
  const { row } = await putTemplate(visit.dependencies.templates, workOf(visit.response), id, { ...written, source })
  return { to: `/templates/${row.id}`, done: 'saved' }
}

const kindNames: Readonly<Record<TemplateRow['kind'], string>> = {
  page: 'Payment page',
  receipt: 'Mail',
  partial: 'Part of others',
}

const isOfFile = ({ merchant_id }: TemplateRow) => merchant_id === EVERYBODY

/** What stands in the form: as it was filled in, or as it is kept. */
const writtenIn = ({ parameters }: MerchantVisit) => textsOf(parameters, ['name', 'kind', 'source'])

async function list(visit: MerchantVisit): Promise<View> {
  const rows = await listTemplates(visit.dependencies.database.db, visit.merchant.id)
  return {
    view: 'templates',
    title: 'Page templates',
    data: {
      heads: ['Number', 'Name', 'What', 'Stands in', 'Changed'],
      rows: rows.map((row): Cell[] => [
        link(row.id, `${visit.home}/templates/${row.id}`),
        plain(row.name),
        plain(kindNames[row.kind]),
        plain(isOfFile(row) ? 'a file of everybody' : 'the data, its own'),
        time(wireTime(row.updated_at)),
      ]),
      starters: startersOf(visit),
    },
  }
}

const startersOf = ({ home }: MerchantVisit) =>
  [...Object.entries(STARTERS).map(([name, { title }]) => [name, title] as const), ['', 'an empty one'] as const].map(
    ([name, title]) => ({ title, to: `${home}/templates/new${name && `?starter=${name}`}` }),
  )

/** The starter that the address names; an empty page where it names none. */
function starterIn({ parameters }: MerchantVisit): Starter {
  const name = text(parameters, 'starter') ?? ''
  return (Object.hasOwn(STARTERS, name) && STARTERS[name]) || EMPTY_PAGE
}

const EMPTY_PAGE: Starter = { title: '', kind: 'page', source: '' }

/** The form of a new one, begun from a starter. @param problem why it was refused */
function create(visit: MerchantVisit, problem: Problem | null = null): View {
  const { home, parameters } = visit
  const { kind, source } = starterIn(visit)
  const starter = new URLSearchParams({ starter: text(parameters, 'starter') ?? '' })
  return {
    view: 'new_template',
    title: 'New template',
    frames: true,
    data: {
      to: `${home}/templates`,
      look: `${home}/templates/look?${starter}`,
      starters: startersOf(visit),
      ...filledIn(FIELDS, problem ? writtenIn(visit) : { name: '', kind, source }, problem),
    },
  }
}

const FIELDS: FormFields<'name' | 'kind' | 'source'> = {
  name: { label: 'Name', help: 'Letters of English, digits, _ and -. Others include a part by it.', isRequired: true },
  kind: {
    label: 'What',
    kind: 'choice',
    words: TEMPLATE_KINDS.map((choice) => ({ choice, text: kindNames[choice] })),
  },
  source: { label: 'Source, in Liquid', kind: 'source', isRequired: true },
}

/** @param problem why a change was refused */
async function one(visit: MerchantVisit, row: TemplateRow, problem: Problem | null = null): Promise<View> {
  const { home, dependencies, response } = visit
  const work = workOf(response)
  const at = `${home}/templates/${row.id}`
  const { problems } = await lookAt(dependencies.templates, work, row)
  return {
    view: 'template',
    title: `Template ${row.id}, ${row.name}`,
    frames: true,
    data: {
      at,
      facts: [
        { name: 'What', ...plain(kindNames[row.kind]) },
        { name: 'Made', ...time(wireTime(row.created_at)) },
        { name: 'Changed', ...time(wireTime(row.updated_at)) },
      ],
      in_file: isOfFile(row),
      source: row.source,
      look: `${at}/preview?frame=true`,
      ...filledIn(FIELDS, problem ? writtenIn(visit) : row, problem),
      problems: {
        heads: ['Line', 'Problem'],
        rows: problems.map(({ line, message }) => [{ ...plain(line), number: true }, plain(message)]),
      },
      failures: {
        heads: ['When', 'Transaction', 'Why'],
        rows: (await failuresOf(work, row.id)).map(({ created_at, transaction_id, reason }) => [
          time(wireTime(created_at)),
          link(transaction_id, `${home}/transactions/${transaction_id}`),
          plain(String(reason)),
        ]),
      },
    },
  }
}

/**
 * How a template looks, filled with a transaction or with none: no part of the console, and therefore in a sandbox, where
 * nothing runs and nothing is sent. Its pictures and styles are those that payers see.
 */
async function preview(visit: MerchantVisit): Promise<View | Sheet> {
  const { merchant, parameters, dependencies, response } = visit
  const work = workOf(response)
  const template = await ownTemplate(visit)
  const id = text(parameters, 'transaction_id')
  const named = id === undefined ? undefined : await findRow(work.queries, 'transactions', merchant.id, readId(id))
  if (id !== undefined && !named) throw noRow('transaction', id)
  const framed = parameters.frame !== undefined
  const row = named ?? (framed ? await newestOf(visit) : undefined)
  const look = await lookAt(dependencies.templates, work, template, row)
  return look.html === null && !framed ? one(visit, template) : sheetOf(visit, look, framed)
}

/** Beside the source a page is filled with the newest transaction. */
const newestOf = ({ merchant, dependencies }: MerchantVisit) =>
  findNewest(dependencies.database.db, 'transactions', merchant.id)

/** How a starter looks. */
async function lookAtStarter(visit: MerchantVisit): Promise<Sheet> {
  const { kind, source } = starterIn(visit)
  return lookAtSource(visit, kind, source)
}

/** How what stands in the form looks, before it is kept. */
async function lookAtWritten(visit: MerchantVisit): Promise<Sheet> {
  const { kind, source } = writtenIn(visit)
  return lookAtSource(visit, TEMPLATE_KINDS.find((each) => each === kind) ?? 'page', source)
}

async function lookAtSource(visit: MerchantVisit, kind: TemplateRow['kind'], source: string): Promise<Sheet> {
  if (source.length > SOURCE_LENGTH)
    return sheetOf(
      visit,
      { html: null, problems: [{ line: 1, message: `It has over ${SOURCE_LENGTH} characters` }] },
      true,
    )
  const prepared = kind === 'page' ? prepare(source) : source
  const look = await lookAt(
    visit.dependencies.templates,
    workOf(visit.response),
    { kind, prepared },
    await newestOf(visit),
  )
  return sheetOf(visit, look, true)
}

/** In a sandbox, where nothing runs and nothing is sent. @param framed pages of the console, and no others, may frame it */
async function sheetOf({ dependencies }: MerchantVisit, { html, problems }: Look, framed: boolean): Promise<Sheet> {
  return {
    html: html ?? (await dependencies.render('console/views/no_look', { problems })),
    policy: { ...LOOK_OF_MERCHANT, ...(framed && { 'frame-ancestors': [SELF] }), sandbox: true },
  }
}
