import { withMarkedControls } from '../../../domain/characters.ts'
import { badFormat } from '../../../domain/errors/errors.ts'
import { integer, type Parameters } from '../../../parsing/parameters/parameters.ts'
import { getExchange } from '../../http/exchange.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type ConsoleVisit,
  type OtherAnswer,
  sendFile,
} from '../visit.ts'
import { formatPlural, toCell } from './cells.ts'
import { type Filter, filterForm, getAddress, type Sent, sentIn } from './filters.ts'
import type { renderCreation } from './operation-form.ts'
import { type ConsoleProblem, redisplayOnError, renderEmptyState } from './problem.ts'
import { type Column, fill, renderTable } from './table.ts'

/** Rows on a page. */
const ROWS = 25

/** Maximum rows of a file; the API returns more. */
const FILE_ROWS = 1000

export interface Range {
  readonly limit: number
  readonly offset: number
}

/** Rows of a list, the newest first. */
export interface FoundRows<Row> {
  readonly rows: readonly Row[]
  /** Number of rows in the whole list, if it is known. */
  readonly total?: number | undefined
}

type Creation = ReturnType<typeof renderCreation>

type TabCounts = NonNullable<ConsoleView['counts']>

export interface List<Visit extends ConsoleVisit, Row> {
  /** Below the pages of the merchant or the administrator; also the name of the file. */
  readonly path: string
  readonly title: string
  readonly one: string
  readonly days?: string | undefined
  readonly live: NonNullable<ConsoleView['live']>
  readonly filters?: readonly Filter[]
  /** Names of filters that only links set. */
  readonly hidden?: readonly string[]
  /** Reads the filters in the address; by default `filters` and `hidden`. */
  readonly sent?: (parameters: Parameters) => Sent
  readonly columns: readonly Column<Row>[]
  find(visit: Visit, sent: Sent, range: Range): Promise<FoundRows<Row>>
  /** Counts the rows behind the tabs, by their address. */
  readonly count?: (visit: Visit) => Promise<TabCounts> | TabCounts
  readonly note?: (rows: readonly Row[]) => SafeHtml | null
  /** What to do while there are no rows. */
  readonly empty?: (visit: Visit) => SafeHtml
  readonly actions?: (visit: Visit, sent: Sent) => SafeHtml | Promise<SafeHtml> | undefined
  readonly creation?: (visit: Visit) => Creation | Promise<Creation>
  /** Forms below the rows. */
  readonly after?: (visit: Visit, sent: Sent) => SafeHtml | Promise<SafeHtml | null> | null
}

export const listPages = <Visit extends ConsoleVisit, Row>(
  list: List<Visit, Row>,
): readonly ConsolePage<Visit>[] => [
  { path: `/${list.path}`, show: (visit) => showList(list, visit) },
  {
    path: `/${list.path}.csv`,
    async show(visit) {
      const range = { limit: FILE_ROWS, offset: 0 }
      const { rows } = await list.find(visit, readSent(list, visit), range)
      return createFile(list.path, list.columns, rows, visit.home)
    },
  },
]

const readSent = <Visit extends ConsoleVisit, Row>(
  { sent, filters = [], hidden = [] }: List<Visit, Row>,
  { parameters }: Visit,
): Sent => sent?.(parameters) ?? sentIn(parameters, [...filters.map(({ name }) => name), ...hidden])

/** Shows a list; a rejected filter stays in the form, with its error. */
export async function showList<Visit extends ConsoleVisit, Row>(
  list: List<Visit, Row>,
  visit: Visit,
): Promise<ConsoleView> {
  const { filters = [], title } = list
  const at = `${visit.home}/${list.path}`
  const sent = readSent(list, visit)
  const creation = await list.creation?.(visit)
  const actions = await list.actions?.(visit, sent)
  const { now } = getExchange(visit.response)
  const view = (
    problem: ConsoleProblem | null,
    content: SafeHtml | null,
    isEmpty = false,
  ): ConsoleView => ({
    title,
    actions: html`${
      isEmpty
        ? null
        : html`<a class="button small" href="${getAddress(`${at}.csv`, sent)}" title="The first ${FILE_ROWS} rows">Export</a>`
    }
${actions}${creation?.button}`,
    body: html`${creation?.form}${isEmpty ? null : filterForm(filters, { sent, list: at, now }, problem)}
${content}`,
  })
  return redisplayOnError(
    visit,
    async () => {
      const page = await paged(visit, getAddress(at, sent), (range) =>
        list.find(visit, sent, range),
      )
      const isEmpty = page.rows.length + page.offset + Object.keys(sent).length === 0
      return {
        ...view(null, await renderRows(list, visit, page, sent), isEmpty),
        counts: (await list.count?.(visit)) ?? {},
        // No live updates further down: rows would move away from the reader.
        live: page.offset === 0 ? list.live : undefined,
      }
    },
    async (problem) => view(problem, null),
  )
}

async function renderRows<Visit extends ConsoleVisit, Row>(
  { one, columns, days, path, ...list }: List<Visit, Row>,
  visit: Visit,
  { rows, total, offset, ...around }: PagedRows<Row>,
  sent: Sent,
): Promise<SafeHtml> {
  const many = formatPlural(one)
  const renderEmpty = () =>
    Object.keys(sent).length > 0
      ? renderEmptyState(
          `No ${many} match the search.`,
          html`<a href="${visit.home}/${path}">Show all ${many}</a>`,
        )
      : renderEmptyState(`No ${many} yet.`, list.empty?.(visit))
  return html`${list.note?.(rows)}
${
  rows.length > 0
    ? html`${renderTable({ ...fill(columns, rows, visit.home), days })}
<div class="row head quiet"><span>${offset + 1} to ${offset + rows.length}${total === undefined ? null : ` of ${total}`}</span>
${renderPager(around)}</div>`
    : html`${renderEmpty()}
${renderPager(around)}`
}
${await list.after?.(visit, sent)}`
}

/** Writes rows as a file for spreadsheets, with the values of the API. */
export function createFile<Row>(
  name: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  home: string,
): OtherAnswer {
  const lines = rows.map((row) =>
    columns.map(([, createCell]) => {
      const { text, wire } = toCell(createCell(row, home))
      return wire ?? text
    }),
  )
  const content = csv([columns.map(([head]) => head), ...lines])
  return sendFile(`${name}.csv`, 'text/csv; charset=utf-8', content)
}

/**
 * Formats lines of a file for spreadsheets (RFC 4180). A value that a spreadsheet would read as a
 * formula gets an apostrophe in front (attack 86), because payers choose names and references.
 * Control characters of a terminal are replaced (attack 133).
 */
const csv = (lines: readonly (readonly string[])[]): string =>
  withMarkedControls(lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join(''))

function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

interface PagedRows<Row> extends FoundRows<Row> {
  readonly offset: number
  /** Addresses of the pages with newer and with older rows; null if there are none. */
  readonly before: string | null
  readonly after: string | null
}

/**
 * Reads the rows of a page, and the addresses of its neighbours.
 * @param list its address, with or without a query
 * @param find reads rows, the newest first; called for one more row than are shown
 */
export async function paged<Row>(
  { parameters }: ConsoleVisit,
  list: string,
  find: (range: Range) => Promise<FoundRows<Row>>,
): Promise<PagedRows<Row>> {
  const offset = integer(parameters, 'offset', 'errors.request.bad_format') ?? 0
  if (offset < 0 || offset > FARTHEST)
    throw badFormat(`offset must be a whole number from 0 to ${FARTHEST}.`)
  const { rows, total } = await find({ limit: ROWS + 1, offset })
  const at = (from: number) => `${list}${list.includes('?') ? '&' : '?'}offset=${from}`
  return {
    ...{ rows: rows.slice(0, ROWS), total, offset },
    before: offset > 0 ? at(Math.max(0, offset - ROWS)) : null,
    after: rows.length > ROWS ? at(offset + ROWS) : null,
  }
}

const FARTHEST = 1_000_000_000

export const renderPager = ({
  before,
  after,
}: Pick<PagedRows<unknown>, 'before' | 'after'>): SafeHtml | null =>
  before || after
    ? html`<nav class="row" aria-label="Pages">
${before && html`<a class="button small" href="${before}" rel="prev">Newer</a>`}
${after && html`<a class="button small" href="${after}" rel="next">Older</a>`}</nav>`
    : null
