import { findEntryByName } from '../../../domain/errors/errors.ts'
import { indentJson } from '../../../domain/json.ts'
import { listUnusedParameters } from '../../../domain/notices.ts'
import { NOBODY } from '../../../storage/requests.ts'
import { findAll, findOne } from '../../../storage/rows.ts'
import {
  type RequestContents,
  type RequestRow,
  readContents,
} from '../../../storage/tables/requests.ts'
import { withCode } from '../../pages/breaks.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { renderCodeBlock, renderMessage, renderSideBySide } from '../../pages/messages.ts'
import { formatCount, renderCell, renderFoldedFacts, timeAt } from '../parts/cells.ts'
import { renderFolded } from '../parts/forms.ts'
import { renderMistakeList } from '../parts/problem.ts'
import { renderHeading } from '../parts/resource-pages.ts'
import { renderTable } from '../parts/table.ts'
import { type ConsolePage, type ConsoleView, type ConsoleVisit, findDocs, noRow } from '../visit.ts'
import { deliveryTable } from '../webhooks/deliveries.ts'
import { examineHash, hashedFields } from './hash.ts'
import { createStatusCell } from './requests.ts'
import { fieldsToSend, listFields, writeSnippets } from './snippets.ts'

/**
 * Page of one request: parameters, response, explanation, and a link to repeat it. The
 * administrator's page shows requests with a wrong login, which belong to no merchant.
 */
export const REQUEST_PAGE: ConsolePage<ConsoleVisit> = {
  path: '/requests/:id',
  show: showRequest,
}

/** @throws errors.not_found (196), also for other merchants' requests (attack 116) */
export async function findShownRequest(visit: ConsoleVisit): Promise<RequestRow> {
  const { dependencies, named, merchant, db } = visit
  await dependencies.keptRequests.settle()
  const row = await findOne(db, 'requests', { request_id: named.id ?? '' })
  if (row?.merchant_id === (merchant?.id ?? NOBODY)) return row
  throw noRow('request', named.id ?? '')
}

async function showRequest(visit: ConsoleVisit): Promise<ConsoleView> {
  const { merchant } = visit
  const row = await findShownRequest(visit)
  const { method, error, duration, request_id } = row
  const contents = readContents(row)
  const { sent, path } = contents
  const status = createStatusCell(row)
  const hash =
    merchant && sent && error === 'errors.hash.invalid'
      ? examineHash({ ...visit, merchant }, sent)
      : undefined
  const mistakes = hash ? [...contents.mistakes, ...(await hash.findMistakes())] : []
  return {
    title: `${method} ${path}`,
    heading: renderHeading(html`<span class="quiet">${method}</span> ${path}`, status),
    actions: renderActions(visit, row, contents),
    live: ['webhooks'],
    summary: renderFirstLine(visit, row, contents),
    body: html`${renderCause(visit, row, contents, mistakes)}
${renderFault(visit, contents)}
${hash?.view && html`<h2>The hash</h2>${hash.view}`}
<h2>Request and answer</h2>
${await renderExchange(visit, row, contents, hash !== undefined)}
<div class="row folds">${Object.entries({
      Headers: contents.headers,
      'Headers of the answer': contents.answered,
      Duration: formatTimes(duration, contents.times),
    }).map(([title, values]) => renderFoldedFacts(title, values))}</div>
${await renderWebhooks(visit, contents)}
${renderSnippets(visit, row, hash?.right)}
<p class="quiet">X-Request-Id <code data-copy>${request_id}</code></p>`,
  }
}

function renderActions(
  { home, merchant }: ConsoleVisit,
  row: RequestRow,
  { sent }: RequestContents,
): SafeHtml | null {
  if (!merchant) return null
  const isOfHash = sent && row.error?.startsWith('errors.hash.')
  return html`${
    isOfHash
      ? html`<a class="button small" href="${home}/hash?${new URLSearchParams(hashedFields(sent)).toString()}">Check the hash</a>`
      : null
  }
${canRepeat(row) ? html`<a class="button" href="${home}/requests/${row.request_id}/again">Send again</a>` : null}`
}

/** Renders when a request came, how long it took, and the payment that it is about. */
function renderFirstLine(
  { home, merchant }: ConsoleVisit,
  { created_at, duration, transaction_id: id }: RequestRow,
  { events }: RequestContents,
): SafeHtml {
  const payment =
    merchant && id && html`, about <a href="${home}/transactions/${id}">transaction ${id}</a>`
  const happened = events.length > 0 ? ` (${events.join(', ')})` : null
  return html`${renderCell(timeAt(created_at))}, ${duration.toFixed(1)} ms${payment}${payment && happened}`
}

const renderFault = (
  { dependencies, home, merchant }: ConsoleVisit,
  { struck }: RequestContents,
): SafeHtml | null =>
  struck
    ? html`<p class="callout bad">An injected fault affected this request: <code>${struck}</code>.
${
  dependencies.isLocal || !merchant
    ? html`If it is still active, delete it on the page <a href="${home}/controls#faults">Test controls</a>.`
    : null
}</p>`
    : null

/** Renders a request and its answer; the parameters that the error is about are marked. */
async function renderExchange(
  { dependencies }: ConsoleVisit,
  row: RequestRow,
  contents: RequestContents,
  isOfHash: boolean,
): Promise<SafeHtml> {
  const { method, route, answer, duration } = row
  const { sent } = contents
  const known = route === null ? undefined : await dependencies.knownCalls.names(method, route)
  return renderSideBySide(
    renderMessage({
      title: 'Sent',
      note: sent === null ? 'not stored' : formatCount(listFields(sent).length, 'field'),
      text: '',
      children: renderSent(contents, known, isOfHash ? ['hash'] : findWrongNames(row)),
    }),
    renderMessage({
      title: renderCell(createStatusCell(row)),
      note: `answer, ${duration.toFixed(0)} ms`,
      text: answer === null ? '' : indentJson(answer),
      children:
        answer === null
          ? html`<p class="quiet">The answer was an HTML page or empty, or it is not stored.</p>`
          : null,
    }),
  )
}

/** Link for readers of the API's answer: the page has a button instead. */
const HASH_LINK = / Check the hash: \S+/

/** Renders the error of a request, or a notice about an accepted one; unused parameters are a warning. */
function renderCause(
  { root }: ConsoleVisit,
  { error, explain }: RequestRow,
  { notices }: RequestContents,
  mistakes: readonly string[],
): SafeHtml | null {
  const entry = error === null ? undefined : findEntryByName(error)
  if (entry)
    return html`<section class="callout bad"><h2>${entry.en} (<a href="${findDocs(root)}/errors/${entry.code}">${entry.code}</a>)</h2>
${renderMistakeList([...new Set(mistakes)]) ?? html`<p>${withCode((explain ?? entry.en).replace(HASH_LINK, ''))}</p>`}
<p class="quiet"><code>${entry.name}</code></p></section>`
  if (!explain) return null
  return listUnusedParameters(notices).length > 0
    ? html`<div class="callout waiting"><p>${withCode(explain)}</p></div>`
    : html`<p>${withCode(explain)}</p>`
}

/**
 * Finds the parameters that an error refers to: the one in its name (`errors.amount.invalid`), and
 * those that its explanation quotes. Other words do not count: `test` is also an ordinary word.
 */
const findWrongNames = ({ error, explain }: RequestRow): readonly string[] => [
  error?.split('.')[1] ?? '',
  ...(explain?.match(/`[^`]+`|\w+[[_][\w[\]]*/g) ?? []).map((name) => name.replaceAll('`', '')),
]

function renderSent(
  { sent, encrypted }: RequestContents,
  known: ReadonlySet<string> | undefined,
  wrong: readonly string[],
): SafeHtml {
  if (sent === null) return html`<p class="quiet">Parameters of this address are not stored.</p>`
  const fields = listFields(sent)
  if (fields.length === 0) return html`<p class="quiet">No parameters.</p>`
  return html`<dl class="facts">${fields.map(([name, text]) => {
    const first = name.replace(/\[.*/s, '')
    const note = encrypted.includes(first)
      ? 'encrypted'
      : known?.has(first) === false
        ? 'ignored: this call has no such parameter'
        : null
    return html`<div${wrong.includes(name) ? html` class="wrong"` : null}><dt>${name}</dt><dd>${renderCell({ text, note })}</dd></div>`
  })}</dl>`
}

/**
 * Returns true for API calls. Only they can be sent again, because forms of pages have their own
 * tokens.
 */
export const canRepeat = (row: RequestRow): boolean => {
  const { sent, path } = readContents(row)
  return sent !== null && !isOfPage(row) && /^\/v[12]\//i.test(path)
}

const isOfPage = ({ route }: RequestRow) => route === null || /:token|:nonce/.test(route)

async function renderWebhooks(
  visit: ConsoleVisit,
  { deliveries: id }: RequestContents,
): Promise<SafeHtml | null> {
  if (!visit.merchant || id.length === 0) return null
  const filter = { merchant_id: visit.merchant.id, id }
  const webhooks = await findAll(visit.db, 'webhook_deliveries', filter)
  return html`<h2>Webhooks caused by this request</h2>
${renderTable(await deliveryTable(visit, webhooks))}`
}

/** Renders code that sends the request. @param hash the right one, so that the code works */
function renderSnippets(
  { dependencies, merchant }: ConsoleVisit,
  row: RequestRow,
  hash: string | undefined,
): SafeHtml | null {
  const { path, sent, headers } = readContents(row)
  if (sent === null || isOfPage(row)) return null
  const snippets = writeSnippets({
    method: row.method,
    url: dependencies.addresses.base + path,
    fields: fieldsToSend(sent).map(([name, value]) => [name, (name === 'hash' && hash) || value]),
    merchantId: headers.authorization === undefined ? undefined : merchant?.id,
  })
  return html`<h2>Code for this request</h2>
<p class="quiet">Replace <code>CARD_NUMBER</code> and <code>CVV</code> with a test card
and <code>PASSWORD</code> with your API password.
Add values that are not stored.</p>
${snippets.map(({ language, text }, index) => renderFolded(language, renderCodeBlock(text), { isOpen: index === 0 }))}`
}

/** Steps in order; sending the response is the rest. */
const STEPS: Readonly<Record<string, string>> = {
  read: 'reading the request',
  login: 'login',
  shop: "webhook before_payment to the merchant's server",
  database: 'database',
}

function formatTimes(total: number, times: RequestContents['times']) {
  const steps = Object.entries(STEPS).flatMap(([step, name]): [string, number][] => {
    const took = times[step]
    return took === undefined ? [] : [[name, took]]
  })
  const rest = total - steps.reduce((sum, [, took]) => sum + took, 0)
  const all = [...steps, ['everything else', Math.max(rest, 0)], ['total', total]] as const
  return Object.fromEntries(all.map(([name, took]) => [name, `${Number(took).toFixed(2)} ms`]))
}
