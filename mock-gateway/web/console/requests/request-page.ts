import { entryByName } from '../../../domain/errors/errors.ts'
import { indentJson } from '../../../domain/json.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import { unusedParametersIn } from '../../../domain/notices.ts'
import type { Parameters } from '../../../parsing/parameters/parameters.ts'
import { HASHED_FIELDS } from '../../../parsing/request-hash.ts'
import { findRequest, NOBODY } from '../../../storage/requests.ts'
import {
  contentsIn,
  type RequestContents,
  type RequestRow,
} from '../../../storage/tables/requests.ts'
import { findDeliveries } from '../../../storage/webhook-deliveries.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { withCode } from '../../pages/story.ts'
import { cell, codeBlock, factList } from '../parts/cell.ts'
import { type Cell, countOf, link, plain, timeAt } from '../parts/cells.ts'
import { heading } from '../parts/details.ts'
import { message, sideBySide } from '../parts/message.ts'
import { mistakeList, withLinks } from '../parts/problem.ts'
import { table } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type ConsoleVisit,
  type MerchantVisit,
  noRow,
} from '../visit.ts'
import { deliveryTable } from '../webhooks/delivery-table.ts'
import { findHashMistakes, rightHash } from './hash.ts'
import { toneOf } from './requests.ts'
import { fieldsIn, fieldsToSend, snippetsOf } from './snippets.ts'

/** Page of one request: parameters, response, explanation, and a link to repeat it. */
export const REQUEST_PAGE: ConsolePage<MerchantVisit> = {
  path: '/requests/:id',
  section: 'requests',
  async show(visit) {
    const row = await requestOf(visit, visit.merchant.id)
    const { sent, mistakes } = contentsIn(row)
    const isWrongHash = row.error === 'errors.hash.invalid' && sent !== null
    return showRequest(visit, row, visit.home, visit.merchant, {
      mistakes: isWrongHash
        ? [...new Set([...mistakes, ...(await findHashMistakes(visit, sent))])]
        : null,
      again: canRepeat(row) ? `${visit.home}/requests/${row.request_id}/again` : null,
      hashTool:
        row.error?.startsWith('errors.hash.') && sent
          ? `${visit.home}/hash?${hashQuery(sent)}`
          : null,
      right: isWrongHash ? rightHash(visit, sent) : null,
    })
  },
}

/** The same for the administrator: requests with a wrong login belong to no merchant. */
export const REQUEST_OF_ALL_PAGE: ConsolePage<ConsoleVisit> = {
  path: '/requests/:id',
  section: 'requests',
  show: async (visit) => showRequest(visit, await requestOf(visit, NOBODY), visit.root),
}

/** @throws errors.not_found (196), also for other merchants' requests (attack 116) */
export async function requestOf(
  { dependencies, named }: ConsoleVisit,
  merchantId: number,
): Promise<RequestRow> {
  await dependencies.keptRequests.settle()
  const row = await findRequest(dependencies.database.db, named.id ?? '')
  if (row?.merchant_id === merchantId) return row
  throw noRow('request', named.id ?? '')
}

/** Additional parts of a merchant's own request. */
interface OwnParts {
  /** Mistakes in its hash; null if not checked. */
  readonly mistakes?: readonly string[] | null
  /** Address of the form that repeats it. */
  readonly again?: string | null
  /** Address of the hash page, with its fields. */
  readonly hashTool?: string | null
  /** What was hashed beside what would be right; null for other errors. */
  readonly right?: ReturnType<typeof rightHash>
}

async function showRequest(
  visit: ConsoleVisit,
  row: RequestRow,
  home: string,
  merchant?: Merchant,
  { mistakes, again, hashTool, right }: OwnParts = {},
): Promise<ConsoleView> {
  const { dependencies } = visit
  const contents = contentsIn(row)
  const entry = row.error === null ? undefined : entryByName(row.error)
  const known =
    row.route === null ? undefined : await dependencies.knownCalls.names(row.method, row.route)
  const docs = `${visit.root.replace(/\/console$/, '')}/docs`
  const consoleUrl = new URL(visit.root, dependencies.addresses.base)
  const status = { ...plain(row.status ?? 'disconnected'), tone: toneOf(row.status, row.error) }
  const did = didOf(row, contents, home)
  const ids = contents.deliveries
  const webhooks = merchant
    ? await findDeliveries(
        dependencies.database.db,
        { merchantId: merchant.id, ids },
        { limit: ids.length, offset: 0 },
      )
    : []
  const snippets =
    contents.sent === null || isOfPage(row)
      ? []
      : snippetsOf(callOf(visit, contents, row, merchant, right?.hash))
  return {
    title: `${row.method} ${contents.path}`,
    heading: heading(html`<small>${row.method}</small> ${contents.path}`, status),
    actions: html`${hashTool && html`<a class="button" href="${hashTool}">Check the hash</a>`}
${again && html`<a class="button main" href="${again}">Send again</a>`}`,
    live: ['webhooks'],
    body: html`<p class="tell">${cell(timeAt(row.created_at))},
${row.duration.toFixed(1)} ms${did && html`, about ${cell(did)}`}</p>
${
  entry
    ? html`<section class="cause"><h2>${entry.en} (<a href="${docs}/errors/${entry.code}">${entry.code}</a>)</h2>
<p>${withLinks(row.explain ?? entry.en, consoleUrl)}</p>
${mistakes && mistakeList(mistakes.filter((mistake) => !row.explain?.includes(mistake)))}
<p class="quiet"><code>${entry.name}</code></p></section>`
    : row.explain && explanationView(row.explain, contents)
}
${
  contents.struck &&
  html`<p class="problem">An injected fault affected this request: <code>${contents.struck}</code>.
${
  dependencies.isLocal || !merchant
    ? html`If it is still active, delete it on the page <a href="${home}/controls#faults">Test controls</a>.`
    : null
}</p>`
}
${right && html`<h2>The hash</h2>${right.view}`}
<h2>Request and answer</h2>
${sideBySide(
  message({
    title: 'Sent',
    note: contents.sent === null ? 'not stored' : countOf(fieldsIn(contents.sent).length, 'field'),
    text: '',
    children: sentView(contents, known, right ? 'hash' : (row.explain ?? '')),
  }),
  message({
    title: cell(status),
    note: `answer, ${row.duration.toFixed(0)} ms`,
    text: row.answer === null ? '' : indentJson(row.answer),
    children:
      row.answer === null
        ? html`<p class="quiet">The answer was an HTML page or empty, or it is not stored.</p>`
        : null,
  }),
)}
${folded('Headers', contents.headers)}
${folded('Headers of the answer', contents.answered)}
${folded('Duration', timesOf(row, contents))}
${
  webhooks.length > 0
    ? html`<h2>Webhooks caused by this request</h2>
${table(await deliveryTable({ home, dependencies }, webhooks.toReversed()))}`
    : null
}
${
  snippets.length > 0
    ? html`<h2>Code for this request</h2>
<p class="quiet">Replace <code>CARD_NUMBER</code> and <code>CVV</code> with a test card
and <code>PASSWORD</code> with your API password.
Add values that are not stored.</p>
${snippets.map(
  ({ language, text }, index) => html`<details${index === 0 ? html` open` : null}>
<summary>${language}</summary>${codeBlock(text)}</details>
`,
)}`
    : null
}
<p class="foot"><span></span><span>X-Request-Id <code data-copy>${row.request_id}</code></span></p>`,
  }
}

/** Renders the stored parameters of a request; those that the error is about are marked. */
function sentView(
  contents: RequestContents,
  known: ReadonlySet<string> | undefined,
  explain: string,
): SafeHtml {
  if (contents.sent === null)
    return html`<p class="quiet">Parameters of this address are not stored.</p>`
  const sent = sentFacts(contents, known)
  const words = new Set(explain.split(/[^\w[\]]+/))
  return sent.length > 0
    ? html`<dl class="facts">${sent.map(
        (fact) =>
          html`<div${words.has(fact.name) ? html` class="wrong"` : null}><dt>${fact.name}</dt><dd>${cell(fact)}</dd></div>`,
      )}</dl>`
    : html`<p class="quiet">No parameters.</p>`
}

/**
 * Returns true for API calls. Only they can be sent again, because forms of pages have their own
 * tokens.
 */
export const canRepeat = (row: RequestRow): boolean => {
  const { sent, path } = contentsIn(row)
  return sent !== null && !isOfPage(row) && /^\/v[12]\//i.test(path)
}

const isOfPage = ({ route }: RequestRow) => route === null || /:token|:nonce/.test(route)

const callOf = (
  { dependencies }: ConsoleVisit,
  { path, sent, headers }: RequestContents,
  { method }: RequestRow,
  merchant: Merchant | undefined,
  hash?: string,
) => ({
  method,
  url: dependencies.addresses.base + path,
  // The code to copy works: it has the right hash.
  fields: fieldsToSend(sent ?? {}).map(([name, value]) =>
    name === 'hash' && hash !== undefined ? ([name, hash] as const) : ([name, value] as const),
  ),
  merchantId: headers.authorization === undefined ? undefined : merchant?.id,
})

/** Lists every parameter, and how it was used. */
const sentFacts = ({ sent, encrypted }: RequestContents, known: ReadonlySet<string> | undefined) =>
  fieldsIn(sent ?? {}).map(([name, text]) => {
    const first = name.replace(/\[.*/s, '')
    const isIgnored = known !== undefined && !known.has(first)
    const note = encrypted.includes(first)
      ? 'encrypted'
      : isIgnored
        ? 'ignored: this call has no such parameter'
        : null
    return { name, ...plain(text), note }
  })

/** Renders named values, folded; nothing without values. */
const folded = (title: string, values: Readonly<Record<string, string>>): SafeHtml | null =>
  Object.keys(values).length === 0
    ? null
    : html`<details><summary>${title}</summary>${factList(
        Object.entries(values).map(([name, text]) => ({ name, ...plain(text) })),
      )}</details>`

/** Describes the changes that the request made to a payment. */
const didOf = (
  { transaction_id }: RequestRow,
  { events }: RequestContents,
  home: string,
): Cell | null =>
  transaction_id === null || home.endsWith('/console')
    ? null
    : {
        ...link(`Transaction ${transaction_id}`, `${home}/transactions/${transaction_id}`),
        note: events.join(', ') || null,
      }

/** Steps in order; sending the response is the rest. */
const STEPS: Readonly<Record<string, string>> = {
  read: 'reading the request',
  login: 'login',
  shop: "webhook before_payment to the merchant's server",
  database: 'database',
}

function timesOf({ duration }: RequestRow, { times }: RequestContents) {
  const steps = Object.entries(STEPS).flatMap(([step, name]) => {
    const took = times[step]
    return took === undefined ? [] : [[name, took] as const]
  })
  const rest = duration - steps.reduce((sum, [, took]) => sum + took, 0)
  const all = [
    ...steps,
    ['everything else', Math.max(rest, 0)] as const,
    ['total', duration] as const,
  ]
  return Object.fromEntries(all.map(([name, took]) => [name, `${took.toFixed(2)} ms`]))
}

/** Renders the explanation of an accepted request; an unused parameter is a warning. */
const explanationView = (explain: string, { notices }: RequestContents): SafeHtml =>
  unusedParametersIn(notices).length > 0
    ? html`<div class="callout waiting"><p>${withCode(explain)}</p></div>`
    : html`<p>${withCode(explain)}</p>`

/** Builds the query of the hash page. */
const hashQuery = (sent: Parameters) =>
  String(
    new URLSearchParams(
      HASHED_FIELDS.flatMap((name) => {
        const value = sent[name]
        return value === undefined || typeof value === 'object' ? [] : [[name, String(value)]]
      }),
    ),
  )
