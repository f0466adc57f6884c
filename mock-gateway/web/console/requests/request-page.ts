import { entryByName } from '../../../domain/errors/errors.ts'
import { indentJson } from '../../../domain/json.ts'
import { unusedParametersIn } from '../../../domain/notices.ts'
import { NOBODY } from '../../../storage/requests.ts'
import { findOne } from '../../../storage/rows.ts'
import {
  contentsIn,
  type RequestContents,
  type RequestRow,
} from '../../../storage/tables/requests.ts'
import { findDeliveries } from '../../../storage/webhook-deliveries.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { withCode } from '../../pages/story.ts'
import {
  type Cell,
  cell,
  codeBlock,
  type Fact,
  formatCount,
  link,
  message,
  plain,
  sideBySide,
  timeAt,
} from '../parts/cells.ts'
import { foldedFacts, heading } from '../parts/details.ts'
import { folded } from '../parts/forms.ts'
import { mistakeList, withLinks } from '../parts/problem.ts'
import { table } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type ConsoleVisit,
  findDocs,
  type MerchantVisit,
  noRow,
} from '../visit.ts'
import { deliveryTable } from '../webhooks/delivery-table.ts'
import { examineHash, hashedFields } from './hash.ts'
import { chooseTone } from './requests.ts'
import { fieldsIn, fieldsToSend, type SnippetCall, writeSnippets } from './snippets.ts'

/** Page of one request: parameters, response, explanation, and a link to repeat it. */
export const REQUEST_PAGE: ConsolePage<MerchantVisit> = {
  path: '/requests/:id',
  section: 'requests',
  show: (visit) => showRequest(visit, visit),
}

/** The same for the administrator: requests with a wrong login belong to no merchant. */
export const REQUEST_OF_ALL_PAGE: ConsolePage<ConsoleVisit> = {
  path: '/requests/:id',
  section: 'requests',
  show: (visit) => showRequest(visit),
}

/** @throws errors.not_found (196), also for other merchants' requests (attack 116) */
export async function findShownRequest(
  { dependencies, named }: ConsoleVisit,
  merchantId: number,
): Promise<RequestRow> {
  await dependencies.keptRequests.settle()
  const row = await findOne(dependencies.database.db, 'requests', { request_id: named.id ?? '' })
  if (row?.merchant_id === merchantId) return row
  throw noRow('request', named.id ?? '')
}

/** @param own the same visit, if the request belongs to a merchant */
async function showRequest(visit: ConsoleVisit, own?: MerchantVisit): Promise<ConsoleView> {
  const { dependencies, root } = visit
  const row = await findShownRequest(visit, own?.merchant.id ?? NOBODY)
  const contents = contentsIn(row)
  const { sent, path } = contents
  const home = own?.home ?? root
  const known =
    row.route === null ? undefined : await dependencies.knownCalls.names(row.method, row.route)
  const status = { ...plain(row.status ?? 'disconnected'), tone: chooseTone(row.status, row.error) }
  const hash =
    own && sent && row.error === 'errors.hash.invalid' ? examineHash(own, sent) : undefined
  const mistakes = hash ? [...contents.mistakes, ...(await hash.findMistakes())] : []
  const webhooks = own ? await findWebhooks(own, contents) : []
  const snippets =
    sent === null || isOfPage(row) ? [] : writeSnippets(snippetCall(visit, row, own, hash?.right))
  return {
    title: `${row.method} ${path}`,
    heading: heading(html`<small>${row.method}</small> ${path}`, status),
    actions: html`${
      own && sent && row.error?.startsWith('errors.hash.')
        ? html`<a class="button" href="${home}/hash?${new URLSearchParams(hashedFields(sent)).toString()}">Check the hash</a>`
        : null
    }
${own && canRepeat(row) ? html`<a class="button main" href="${home}/requests/${row.request_id}/again">Send again</a>` : null}`,
    live: ['webhooks'],
    body: html`<p class="tell">${cell(timeAt(row.created_at))},
${row.duration.toFixed(1)} ms${own && row.transaction_id ? html`, about ${cell(paymentCell(row.transaction_id, contents, home))}` : null}</p>
${causeView(visit, row, contents, mistakes)}
${
  contents.struck &&
  html`<p class="problem">An injected fault affected this request: <code>${contents.struck}</code>.
${
  dependencies.isLocal || !own
    ? html`If it is still active, delete it on the page <a href="${home}/controls#faults">Test controls</a>.`
    : null
}</p>`
}
${hash?.view && html`<h2>The hash</h2>${hash.view}`}
<h2>Request and answer</h2>
${sideBySide(
  message({
    title: 'Sent',
    note: sent === null ? 'not stored' : formatCount(fieldsIn(sent).length, 'field'),
    text: '',
    children: sentView(contents, known, hash ? 'hash' : (row.explain ?? '')),
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
${foldedFacts('Headers', textFacts(contents.headers))}
${foldedFacts('Headers of the answer', textFacts(contents.answered))}
${foldedFacts('Duration', textFacts(formatTimes(row, contents)))}
${
  webhooks.length > 0
    ? html`<h2>Webhooks caused by this request</h2>
${table(await deliveryTable({ home, dependencies }, webhooks))}`
    : null
}
${
  snippets.length > 0
    ? html`<h2>Code for this request</h2>
<p class="quiet">Replace <code>CARD_NUMBER</code> and <code>CVV</code> with a test card
and <code>PASSWORD</code> with your API password.
Add values that are not stored.</p>
${snippets.map(({ language, text }, index) =>
  folded(language, codeBlock(text), { isOpen: index === 0 }),
)}`
    : null
}
<p class="foot"><span></span><span>X-Request-Id <code data-copy>${row.request_id}</code></span></p>`,
  }
}

/** Reads the webhooks that a request has caused, the newest first. */
async function findWebhooks(
  { dependencies, merchant }: MerchantVisit,
  { deliveries: ids }: RequestContents,
) {
  const range = { limit: ids.length, offset: 0 }
  const filter = { merchantId: merchant.id, ids }
  return (await findDeliveries(dependencies.database.db, filter, range)).toReversed()
}

/** Renders the error of a request, or a notice about an accepted one; unused parameters are a warning. */
function causeView(
  { root, dependencies }: ConsoleVisit,
  { error, explain }: RequestRow,
  { notices }: RequestContents,
  mistakes: readonly string[],
): SafeHtml | null {
  const entry = error === null ? undefined : entryByName(error)
  if (entry)
    return html`<section class="cause"><h2>${entry.en} (<a href="${findDocs(root)}/errors/${entry.code}">${entry.code}</a>)</h2>
<p>${withLinks(explain ?? entry.en, new URL(root, dependencies.addresses.base))}</p>
${mistakeList([...new Set(mistakes)].filter((mistake) => !explain?.includes(mistake)))}
<p class="quiet"><code>${entry.name}</code></p></section>`
  if (!explain) return null
  return unusedParametersIn(notices).length > 0
    ? html`<div class="callout waiting"><p>${withCode(explain)}</p></div>`
    : html`<p>${withCode(explain)}</p>`
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

const snippetCall = (
  { dependencies }: ConsoleVisit,
  row: RequestRow,
  own: MerchantVisit | undefined,
  hash: string | undefined,
): SnippetCall => {
  const { path, sent, headers } = contentsIn(row)
  return {
    method: row.method,
    url: dependencies.addresses.base + path,
    // The code to copy works: it has the right hash.
    fields: fieldsToSend(sent ?? {}).map(([name, value]) => [
      name,
      (name === 'hash' && hash) || value,
    ]),
    merchantId: headers.authorization === undefined ? undefined : own?.merchant.id,
  }
}

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

const textFacts = (values: Readonly<Record<string, string>>): readonly Fact[] =>
  Object.entries(values).map(([name, text]) => ({ name, text }))

/** Links to the payment of a request, with the changes that the request made. */
const paymentCell = (id: number, { events }: RequestContents, home: string): Cell => ({
  ...link(`Transaction ${id}`, `${home}/transactions/${id}`),
  note: events.join(', ') || null,
})

/** Steps in order; sending the response is the rest. */
const STEPS: Readonly<Record<string, string>> = {
  read: 'reading the request',
  login: 'login',
  shop: "webhook before_payment to the merchant's server",
  database: 'database',
}

function formatTimes({ duration }: RequestRow, { times }: RequestContents) {
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
