import { readId } from '../../domain/identifiers.ts'
import { wireTime } from '../../presentation/time.ts'
import { readTemplateId, readWrittenTemplate } from '../../requests/control/templates.ts'
import { text } from '../../requests/parameters/parameters.ts'
import { findRow } from '../../storage/rows.ts'
import type { TemplateRow } from '../../storage/tables/templates.ts'
import { EVERYBODY, listTemplates } from '../../storage/templates.ts'
import { deleteTemplate, failuresOf, lookAt, needTemplate, putTemplate } from '../../templates/administer.ts'
import { TEMPLATE_KINDS } from '../../templates/save.ts'
import { workOf } from '../http/exchange.ts'
import { LOOK_OF_MERCHANT } from '../pages/policy.ts'
import { type Cell, link, plain, time } from './cells.ts'
import { orAgain, type Problem } from './refused-form.ts'
import { type Act, fieldsOf, type MerchantVisit, noPage, type Page, type Sheet, textsOf, type View } from './visit.ts'

const section = 'templates'

/** Pages that merchants wrote in Liquid, and mails and parts of them. */
export const TEMPLATE_PAGES: readonly Page<MerchantVisit>[] = [
  { path: '/templates', section, show: (visit) => list(visit) },
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
        (problem) => list(visit, problem),
      ),
  },
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

async function save(visit: MerchantVisit, id: number | undefined) {
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
const KINDS = TEMPLATE_KINDS.map((name) => ({ name, text: kindNames[name] }))

const isOfFile = ({ merchant_id }: TemplateRow) => merchant_id === EVERYBODY

/** What stands in the form: as it was filled in, or as it is kept. */
const writtenIn = ({ parameters }: MerchantVisit) => textsOf(parameters, ['name', 'kind', 'source'])

/** @param problem why the form of a new one was refused */
async function list(visit: MerchantVisit, problem: Problem | null = null): Promise<View> {
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
      kinds: KINDS,
      template: problem ? writtenIn(visit) : { name: '', kind: 'page', source: '' },
      problem,
    },
  }
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
    data: {
      at,
      facts: [
        { name: 'What', ...plain(kindNames[row.kind]) },
        { name: 'Made', ...time(wireTime(row.created_at)) },
        { name: 'Changed', ...time(wireTime(row.updated_at)) },
      ],
      in_file: isOfFile(row),
      kinds: KINDS,
      template: problem ? writtenIn(visit) : row,
      problem,
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
  const row = id === undefined ? undefined : await findRow(work.queries, 'transactions', merchant.id, readId(id))
  if (id !== undefined && !row) throw noPage()
  const { html } = await lookAt(dependencies.templates, work, template, row)
  if (html === null) return one(visit, template)
  return { html, policy: { ...LOOK_OF_MERCHANT, sandbox: true } }
}
