import { indentJson } from '../../../domain/json.ts'
import { text } from '../../../parsing/parameters/parameters.ts'
import { wireTime } from '../../../serializers/time.ts'
import type { WebhookAttemptRow } from '../../../storage/tables/webhook-attempts.ts'
import type {
  DeliveryStatus,
  FullDelivery,
  WebhookDeliveryRow,
} from '../../../storage/tables/webhook-deliveries.ts'
import { namedPayments } from '../../../storage/transactions.ts'
import { findAttempts } from '../../../storage/webhook-attempts.ts'
import type { DeliveryFilter } from '../../../storage/webhook-deliveries.ts'
import { requireDelivery, requireFullDelivery } from '../../../webhooks/administer.ts'
import { DRAWN_BELOW, RETRIES, retryDelay } from '../../../webhooks/schedule.ts'
import { isTest } from '../../../webhooks/send-test.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { cell } from '../parts/cell.ts'
import { link, longText, orderLink, plain, time } from '../parts/cells.ts'
import { codeBlock } from '../parts/code.ts'
import { emptyState } from '../parts/empty.ts'
import { factList } from '../parts/facts.ts'
import { option, tokenField } from '../parts/forms.ts'
import { shorten } from '../parts/shorten.ts'
import { table } from '../parts/table.ts'
import { type ConsoleView, idOf, type MerchantVisit, noPage, noRow } from '../visit.ts'
import {
  ATTEMPT_HEADS,
  attemptRow,
  type CheckView,
  checksOf,
  compareParts,
  exchangeOfAttempt,
  failureOf,
  shortAnswer,
} from './attempts.ts'
import { deliveryStatus, moment, targetOf } from './delivery-table.ts'

/** Selects the delivery in the address, if it belongs to the merchant. */
export function ownOf(visit: MerchantVisit): DeliveryFilter {
  const id = idOf(visit)
  if (id === undefined) throw noRow('delivery', visit.named.id ?? '')
  return { merchantId: visit.merchant.id, id }
}

/** Attempts on a page; of more the last are shown. */
const ATTEMPTS = 50

export async function showDelivery(visit: MerchantVisit): Promise<ConsoleView> {
  const { home, dependencies } = visit
  const row = await requireFullDelivery(dependencies.webhooks, ownOf(visit))
  const attempts = (await findAttempts(dependencies.database.db, [row.id])).slice(-ATTEMPTS)
  const checked = attempts.findLast(({ request_headers }) => request_headers !== null)
  const isWaiting = row.status === 'pending' && row.again_from === null
  const at = `${home}/webhooks/${row.id}`
  const act = (name: string, isPossible: boolean, button: SafeHtml) =>
    isPossible
      ? html`<form method="post" action="${at}/${name}">${tokenField(visit)}${button}</form>`
      : null
  const checks = checked ? checksOf(row, checked, visit.merchant) : []
  const sent = asSent(row, attempts)
  const last = attempts.at(-1)
  const reason = last && last.outcome !== 'delivered' ? failureOf(last, row.url) : null
  return {
    live: [`webhooks/${row.id}`, 'data'],
    title: isTest(row) ? `Delivery ${row.id}, a test` : `Delivery ${row.id}`,
    body: html`${resultView(row, reason)}
<div class="presets">
${act('send', row.again_from === null, html`<button>Send again</button>`)}
${act('retry', isWaiting, html`<button class="small">Retry now</button>`)}
${act('remove', row.status !== 'pending', html`<button class="small danger">Delete</button>`)}
</div>
<p class="hint">${
      row.again_from === null
        ? 'Send again: an additional attempt, outside the retry schedule, with the same webhook-id.'
        : null
    }
${isWaiting ? 'Retry now: the next attempt of the schedule.' : null}</p>
${retryLine(row, attempts)}
${factList(await factsOf(row, visit))}
<h2>Attempts</h2>
${
  attempts.length > 0
    ? table({
        heads: ATTEMPT_HEADS,
        places: ['first', 'second', null, 'first-end', 'second-end', null],
        rows: attempts.map((attempt) => attemptRow(attempt, row.url, reason)),
      })
    : emptyState('No attempts yet.')
}
${attempts.length > 1 ? html`<p><a href="${at}/compare">Compare two attempts</a></p>` : null}
${attempts.map(exchangeOfAttempt).map(
  ({ number, sent, headers, body }) =>
    html`${
      sent &&
      html`<details><summary>Headers of attempt ${number}</summary>${codeBlock(sent)}</details>
`
    }${
      headers || body
        ? html`<details><summary>Answer to attempt ${number}</summary>
${headers && codeBlock(headers)}${body && codeBlock(body)}</details>
`
        : null
    }`,
)}
${
  checks.length > 0
    ? html`<h2>Verify this webhook</h2>
<p class="quiet">How your shop verifies attempt ${checked?.number}. One check is enough.
The signature covers the whole body.</p>
${checks.map(checkView)}`
    : null
}
<h2>Body</h2>
<p class="quiet">The data at the time of the event. Every attempt sends the same body.</p>
${codeBlock(shorten(indentJson(row.body)))}
${sent && html`<details><summary>Body as sent</summary>${codeBlock(sent)}</details>`}`,
  }
}

/** Renders the status of a delivery; after a failed attempt, its reason leads. */
function resultView(row: WebhookDeliveryRow, reason: string | null): SafeHtml {
  const next = html`${cell(deliveryStatus(row))} ${describeNext(row)}`
  return reason === null
    ? html`<p>${next}</p>`
    : html`<div class="callout ${row.status === 'pending' ? 'waiting' : 'bad'}">
<p class="reason">${reason}</p><p>${next}</p></div>`
}

/** Number of future retries on the timeline. */
const RETRIES_AHEAD = 4

/** Draws a timeline of a delivery's attempts and, while it is pending, of its retries. */
function retryLine(
  row: WebhookDeliveryRow,
  attempts: readonly WebhookAttemptRow[],
): SafeHtml | null {
  const made = attempts.slice(-RETRIES_AHEAD * 2).map((attempt) => ({
    tone: attempt.outcome === 'delivered' ? 'good' : 'bad',
    what: `Attempt ${attempt.number}`,
    at: attempt.created_at,
    note: shortAnswer(attempt, row.url),
  }))
  const coming: { tone: string; what: string; at: number; note?: string }[] = []
  let at = row.due_at
  for (
    let retry = row.attempts;
    row.status === 'pending' && at !== null && retry <= RETRIES;
    retry += 1
  ) {
    if (coming.length === RETRIES_AHEAD) break
    coming.push({
      tone: 'off',
      what: retry === 0 ? 'First attempt' : `Retry ${retry} of ${RETRIES}`,
      at,
    })
    at += retryDelay(retry, DRAWN_BELOW / 2) * 1_000
  }
  if (made.length + coming.length < 2) return null
  return html`<ol class="line" aria-label="Timeline of attempts">${[...made, ...coming].map(
    ({ tone, what, at, note }) =>
      html`<li class="${tone}"><b>${what}</b> ${cell(time(wireTime(at)))}${
        note && html` <span class="note">${note}</span>`
      }</li>`,
  )}</ol>
${coming.length > 1 ? html`<p class="hint">Times of later retries are approximate. Each retry follows only if the attempt before fails.</p>` : null}`
}

/** Renders one check of a receiver, step by step. */
function checkView({ title, isRight, parts, joined, recipe, digests, sent }: CheckView): SafeHtml {
  const verdict = isRight
    ? html`<span class="status good">valid</span>`
    : html`<span class="status bad">invalid</span>`
  const text =
    joined.length > 300
      ? html`<details><summary>Show the text</summary>${codeBlock(joined)}</details>`
      : codeBlock(joined)
  return html`<details${isRight ? null : html` open`}><summary>${title} ${verdict}</summary>
<ol class="steps"><li>Take the parts:
<dl class="facts">${parts.map(signedPart)}</dl></li>
<li>Join them${parts[2]?.[0] === 'body' ? ' by dots' : null}:${text}</li>
<li>${recipe}:${digests.map(codeBlock)}</li>
<li>Compare the result with the received value:${codeBlock(sent)}
${isRight ? 'They are equal.' : 'They are different: the key or the secret has changed since.'}</li>
</ol></details>
`
}

function signedPart([name, value]: CheckView['parts'][number]): SafeHtml {
  const body =
    value === '' ? 'empty, as for every GET' : `the unchanged body, ${value.length} characters`
  return html`<div><dt>${name}</dt>
<dd>${name === 'body' ? html`<span class="quiet">${body}</span>` : html`<code>${value}</code>`}</dd>
</div>`
}

/** Compares two attempts of a delivery: the last two, unless the address names others. */
export async function compareAttempts(visit: MerchantVisit): Promise<ConsoleView> {
  const { home, dependencies, parameters } = visit
  const row = await requireDelivery(dependencies.webhooks, ownOf(visit))
  const attempts = (await findAttempts(dependencies.database.db, [row.id])).slice(-ATTEMPTS)
  const chosen = (name: string, otherwise: number) =>
    attempts.find(({ number }) => String(number) === text(parameters, name)) ??
    attempts.at(otherwise)
  const [left, right] = [chosen('left', -2), chosen('right', -1)]
  if (!left || !right) throw noPage()
  return {
    title: `Attempts of delivery ${row.id}`,
    body: html`<p><a href="${home}/webhooks/${row.id}">Back to the delivery</a></p>
<form class="filters" method="get">
${choiceOf('Left', 'left', left.number, attempts)}
${choiceOf('Right', 'right', right.number, attempts)}
<button>Compare</button></form>
<table class="compare">
<thead><tr>
<th scope="col">Part</th>
<th scope="col">Attempt ${left.number}</th>
<th scope="col">Attempt ${right.number}</th>
</tr></thead>
<tbody>${compareParts(left, right).map(
      (each) => html`
<tr${each.differs ? html` class="differs"` : null}>
<th scope="row">${each.name}
${each.differs ? html`<span class="status waiting">differs</span>` : null}</th>
<td data-head="Attempt ${left.number}">${comparedText(each.left)}</td>
<td data-head="Attempt ${right.number}">${comparedText(each.right)}</td>
</tr>`,
    )}
</tbody>
</table>`,
  }
}

const choiceOf = (
  label: string,
  name: string,
  chosen: number,
  attempts: readonly WebhookAttemptRow[],
): SafeHtml => html`<label>${label} <select name="${name}">
${attempts.map(({ number }) => option(String(number), String(number), String(chosen)))}
</select></label>`

/** Characters of a value that needs no block. */
const SHORT = 60

function comparedText(text: string): SafeHtml | string {
  if (text === '') return html`<span class="quiet">none</span>`
  return text.length < SHORT ? text : html`<pre tabindex="0">${text}</pre>`
}

async function factsOf(row: WebhookDeliveryRow, { home, dependencies }: MerchantVisit) {
  const { transaction_id: id } = row
  const payments = await namedPayments(dependencies.database.db, id === null ? [] : [id])
  return Object.entries({
    Order: id === null ? plain('') : orderLink(id, payments.get(id)?.payment_ref, home),
    Created: moment(row.created_at),
    Trigger: plain(row.trigger),
    Template: row.template === null ? plain('') : link(row.template, `${home}/webhook_templates`),
    Target: longText(targetOf(row)),
    'Data format': plain(row.data_format),
    'webhook-id': plain(row.message_id),
    'Event id': plain(row.event_id),
    Attempts: plain(row.calls),
    'Next attempt': moment(row.due_at),
  })
    .filter(([, { text }]) => text !== '')
    .map(([name, cell]) => ({ name, ...cell }))
}

/** Describes what happens next to a delivery, and why. */
function describeNext(row: WebhookDeliveryRow): string {
  return row.again_from === null
    ? PLANS[row.status](row)
    : 'It was requested again by hand and is being sent now.'
}

const PLANS: Readonly<Record<DeliveryStatus, (row: WebhookDeliveryRow) => string>> = {
  delivered: () => 'Delivered. No further attempts.',
  failed: () => 'This kind of failure is not retried. You can send it again by hand.',
  dead: () => `All ${RETRIES} retries failed. You can send it again by hand.`,
  pending({ attempts, due_at }) {
    const at = moment(due_at).text
    if (attempts === 0) return `The first attempt is due at ${at}.`
    const [least, most] = [0, DRAWN_BELOW - 1].map((drawn) => retryDelay(attempts - 1, drawn))
    return `Retry ${attempts} of ${RETRIES} is due at ${at}. The schedule sets it ${least} to ${most} seconds after the attempt before.`
  },
}

/** Returns the body of the last attempt, if it differs from the shown one. */
function asSent({ body }: FullDelivery, attempts: readonly WebhookAttemptRow[]): string | null {
  const sent = attempts.at(-1)?.request_body ?? body
  return sent === body ? null : shorten(sent)
}
