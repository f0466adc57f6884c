import { formatDuration } from '../../../domain/duration-text.ts'
import { indentJson } from '../../../domain/json.ts'
import { countRows } from '../../../storage/rows.ts'
import type { WebhookAttemptRow } from '../../../storage/tables/webhook-attempts.ts'
import type {
  DeliveryStatus,
  FullDelivery,
  WebhookDeliveryRow,
} from '../../../storage/tables/webhook-deliveries.ts'
import { findAttempts } from '../../../storage/webhook-attempts.ts'
import { requireFullDelivery } from '../../../webhooks/administer.ts'
import { RETRIES } from '../../../webhooks/schedule.ts'
import { isTest } from '../../../webhooks/send-test.ts'
import { getExchange } from '../../http/exchange.ts'
import { html, renderHiddenFields, type SafeHtml } from '../../pages/html.ts'
import {
  type Cell,
  formatCount,
  link,
  quantity,
  renderCodeBlock,
  renderFacts,
  renderMessage,
  renderSideBySide,
  shorten,
  timeAt,
} from '../parts/cells.ts'
import { renderButtonForm, renderFolded } from '../parts/forms.ts'
import { buttonAct } from '../parts/operation-form.ts'
import { renderEmptyState } from '../parts/problem.ts'
import { renderHeading } from '../parts/resource-pages.ts'
import { type Column, fill, renderTable } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type FormAction,
  findDocs,
  type MerchantVisit,
  noRow,
} from '../visit.ts'
import {
  attemptLine,
  describeAnswer,
  findFailure,
  findShopError,
  findShopLine,
  formatAttempt,
  listDifferences,
  listPlannedAttempts,
  shortAnswer,
  signatureViews,
} from './attempts.ts'
import {
  deliveryStatus,
  FAILED,
  formatTarget,
  listedDeliveries,
  SENT_AT_ONCE,
  withoutHost,
} from './deliveries.ts'

/** The page of a delivery, also at the earlier address of the comparison. */
export const DELIVERY_PAGE: readonly ConsolePage<MerchantVisit>[] = [
  { path: '/webhooks/:id', show: showDelivery },
  { path: '/webhooks/:id/compare', show: showDelivery },
]

export const DELIVERY_ACTS: readonly FormAction<MerchantVisit>[] = [
  buttonAct('/webhooks/:id/send', 'deliveries.send', ({ sent }, { named }) => ({
    to: `/webhooks/${named.id}`,
    done: sent ? 'sent_again' : 'sent_already',
  })),
  buttonAct('/webhooks/:id/retry', 'deliveries.retry', ({ id }) => ({
    to: `/webhooks/${id}`,
    done: 'retried',
  })),
  buttonAct('/webhooks/:id/remove', 'deliveries.delete', { to: '/webhooks', done: 'removed' }),
]

/** Attempts on a page; of more the last are shown. */
const ATTEMPTS = 50

async function showDelivery(visit: MerchantVisit): Promise<ConsoleView> {
  const { home, dependencies, merchant, named, parameters, db } = visit
  const id = visit.id
  if (id === undefined) throw noRow('delivery', named.id ?? '')
  const row = await requireFullDelivery(dependencies.webhooks, { merchant_id: merchant.id, id })
  const attempts = (await findAttempts(db, [id])).slice(-ATTEMPTS)
  const chosen = attempts.filter(({ number }) => nameChoice(number) in parameters)
  const [{ order } = {}] = await listedDeliveries(visit, [row])
  const last = attempts.at(-1)
  return {
    live: [`webhooks/${row.id}`, 'data'],
    title: isTest(row) ? `Delivery ${row.id}, a test` : `Delivery ${row.id}`,
    heading: renderHeading(row.trigger, deliveryStatus(row, true)),
    actions: renderActions(visit, row),
    body: html`<p class="tell">${isTest(row) ? 'A test. ' : null}${
      row.transaction_id &&
      html`About payment <a href="${home}/transactions/${row.transaction_id}">${order || row.transaction_id}</a>, `
    }sent to <code>${formatTarget(row)}</code>. ${describeNext(row, getExchange(visit.response).now)}</p>
${last && last.outcome !== 'delivered' ? await causeView(visit, row, last, attempts) : null}
${renderAttempts(row, attempts, chosen, home)}
${chosen.length > 1 ? html`<p>Different: ${listDifferences(chosen).join(', ') || 'only the time'}.</p>` : null}
${
  last
    ? (chosen.length > 0 ? chosen : [last]).map((each) => exchangeView(merchant, row, each))
    : renderSideBySide(
        renderMessage({ title: 'Body', note: 'to be sent', text: shorten(indentJson(row.body)) }),
      )
}
${renderFacts({
  Created: timeAt(row.created_at),
  Template: row.template && link(row.template, `${home}/webhook_templates`),
  'webhook-id': createIdCell(row.message_id),
  'Event id': createIdCell(row.event_id),
})}`,
  }
}

function renderActions(visit: MerchantVisit, { id, status, again_from }: FullDelivery): SafeHtml {
  const press = (name: string, words: string, tone?: 'danger' | 'main') =>
    renderButtonForm(visit, `${visit.home}/webhooks/${id}/${name}`, words, tone)
  const isPending = status === 'pending'
  return html`${isPending ? null : press('remove', 'Delete', 'danger')}
${isPending && again_from === null ? press('retry', 'Retry now') : null}
${again_from === null ? press('send', 'Send again', 'main') : null}`
}

const createIdCell = (id: string) => ({ text: id, content: html`<code data-copy>${id}</code>` })

/** Describes what happens next to a delivery, and why. */
const describeNext = (row: WebhookDeliveryRow, now: number): string =>
  row.again_from === null
    ? PLANS[row.status](row, now)
    : 'It was requested again by hand and is being sent now.'

const PLANS: Readonly<Record<DeliveryStatus, (row: WebhookDeliveryRow, now: number) => string>> = {
  delivered: () => 'Delivered. No further attempts.',
  failed: () => 'This kind of failure is not retried. You can send it again by hand.',
  dead: () => `All ${RETRIES} retries failed. You can send it again by hand.`,
  pending({ attempts, due_at }, now) {
    const attempt = attempts === 0 ? 'The first attempt' : `Retry ${attempts} of ${RETRIES}`
    const left = (due_at ?? now) - now
    return `${attempt} is due ${left > 0 ? `in about ${formatDuration(left)}, at ${timeAt(due_at).text}` : 'now'}.`
  },
}

async function causeView(
  visit: MerchantVisit,
  row: WebhookDeliveryRow,
  failed: WebhookAttemptRow,
  attempts: readonly WebhookAttemptRow[],
): Promise<SafeHtml> {
  const { merchant, home, db } = visit
  const reason = findFailure(failed, row.url) ?? 'The delivery failed.'
  const title = describeAnswer(row, failed, attempts)
  const answer = String(failed.response.body ?? '')
  const quoted = findShopError(answer)
  const place = findShopLine(answer)
  const filter = {
    merchant_id: merchant.id,
    trigger: row.trigger,
    status: ['failed', 'dead'] as const,
  }
  const count = await countRows(db, 'webhook_deliveries', filter, SENT_AT_ONCE)
  return html`<section class="callout bad">
<h2>${title ?? reason}</h2>
${quoted && html`<p><code>${quoted}</code></p>`}
<ol>
${quoted ? html`<li>Fix ${place ? html`<code>${place}</code>` : 'this error in your handler'}.</li>` : title && html`<li>${reason}</li>`}
<li>Send this webhook again. It keeps its <code>webhook-id</code>, so your handler can count it once.</li>
${count > 1 ? html`<li>Then send the others that failed.</li>` : null}
</ol>
<div class="row">${
    count > 1
      ? renderButtonForm(
          visit,
          `${home}/webhooks/send`,
          `Send all ${count} again`,
          null,
          renderHiddenFields({ status: FAILED, trigger: row.trigger }),
        )
      : null
  }<a href="${findDocs(home)}/search?q=webhook+twice">Why a webhook can come twice</a></div>
</section>`
}

const nameChoice = (number: number): string => `attempt-${number}`

function createAttemptColumns(
  { url }: WebhookDeliveryRow,
  attempts: readonly WebhookAttemptRow[],
  chosen: readonly WebhookAttemptRow[],
): readonly Column<WebhookAttemptRow>[] {
  const start = attempts[0]?.created_at ?? 0
  const last = attempts.at(-1)
  // The page starts with the reason of the last attempt.
  const shown = last && findFailure(last, url)
  const renderChoice = (attempt: WebhookAttemptRow) =>
    html`<label><input type="checkbox" name="${nameChoice(attempt.number)}"${
      chosen.includes(attempt) ? html` checked` : null
    }> ${attempt.number}</label>`
  const createAnswerCell = (attempt: WebhookAttemptRow): Cell => {
    const { error } = attempt.response
    const reason = findFailure(attempt, url)
    return {
      text: url === null ? formatAttempt(attempt).answer : shortAnswer(attempt, url),
      tone: attempt.outcome === 'delivered' ? 'good' : 'bad',
      note: reason !== shown ? reason : url !== null && error !== null ? String(error) : null,
    }
  }
  return [
    [
      'Attempt',
      (attempt) => ({
        ...{ text: String(attempt.number), content: renderChoice(attempt) },
        note: attempt.manual ? 'resent by hand' : null,
      }),
      'first',
    ],
    ['Answer', createAnswerCell, 'first-end'],
    ['When', ({ created_at }) => timeAt(created_at), 'second'],
    [
      'After',
      ({ created_at }) => (created_at > start ? formatDuration(created_at - start) : 'at once'),
      'second-end',
    ],
    ['Took', ({ duration }) => quantity(`${duration} ms`)],
  ]
}

/** Renders the attempts on a line of time, past and planned, and as a table without equal rows. */
function renderAttempts(
  row: WebhookDeliveryRow,
  attempts: readonly WebhookAttemptRow[],
  chosen: readonly WebhookAttemptRow[],
  home: string,
): SafeHtml {
  const planned = listPlannedAttempts(row).length
  const columns = createAttemptColumns(row, attempts, chosen)
  const rows = (some: readonly WebhookAttemptRow[]) => renderTable(fill(columns, some, home))
  // The first two and the last one show the schedule; equal ones between them are folded.
  const results = attempts.map(
    ({ response: { code, error }, manual }) => `${code} ${error} ${manual}`,
  )
  const isFolded = (_: unknown, index: number) =>
    index > 1 && index < attempts.length - 1 && results[index] === results[index - 1]
  const equal = attempts.filter(isFolded)
  const span = (attempts.at(-1)?.created_at ?? 0) - (attempts[0]?.created_at ?? 0)
  return html`<h2>${formatCount(row.calls, 'attempt')}${attempts.length > 1 ? ` in ${formatDuration(span)}` : null}${
    planned > 0
      ? html` <span class="quiet">${planned} more are planned, each only if the attempt before fails</span>`
      : null
  }</h2>
${attemptLine(attempts, row)}
${
  attempts.length > 0
    ? html`<form method="get">${rows(attempts.filter((attempt) => !equal.includes(attempt)))}
${equal.length > 0 ? renderFolded(`Show the ${equal.length} others, which are the same`, rows(equal)) : null}
${attempts.length > 1 ? html`<p class="row"><button class="small">Show the chosen attempts</button></p>` : null}</form>`
    : renderEmptyState('No attempts yet.')
}`
}

/** Renders the last request and its answer, the headers, and how to verify the signature. */
function exchangeView(
  merchant: MerchantVisit['merchant'],
  row: FullDelivery,
  last: WebhookAttemptRow,
): SafeHtml {
  const { sentHeaders, headers, body } = formatAttempt(last)
  const sent = last.request_body ?? row.body
  return html`<h2>Attempt ${last.number}</h2>
${renderSideBySide(
  renderMessage({
    title: row.url === null ? 'Mail' : withoutHost(formatTarget(row)),
    note: `${row.data_format}, ${sent.length} characters`,
    text: shorten(indentJson(row.body)),
    children:
      sent === row.body ? null : renderFolded('Body as sent', renderCodeBlock(shorten(sent))),
  }),
  renderMessage({
    title: html`<span class="is ${last.outcome === 'delivered' ? 'good' : 'bad'}">${shortAnswer(last, row.url)}</span>`,
    note: `your answer, ${last.duration} ms`,
    text: body,
    marked: findShopError(body) ?? null,
  }),
)}
<div class="row folds">${sentHeaders && renderFolded(`Headers of attempt ${last.number}`, renderCodeBlock(sentHeaders))}
${headers && renderFolded('Headers of the answer', renderCodeBlock(headers))}
${signatureViews(row, last, merchant)}</div>`
}
