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
import { DRAWN_BELOW, RETRIES, retryDelay } from '../../../webhooks/schedule.ts'
import { isTest } from '../../../webhooks/send-test.ts'
import { html, renderHiddenFields, type SafeHtml } from '../../pages/html.ts'
import {
  formatCount,
  link,
  quantity,
  renderCodeBlock,
  renderFacts,
  renderMessage,
  renderSideBySide,
  shorten,
  timeAt,
  toCell,
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
  getId,
  type MerchantVisit,
  noRow,
} from '../visit.ts'
import {
  attemptLine,
  findFailure,
  findShopError,
  formatAttempt,
  listDifferences,
  listPlannedAttempts,
  shortAnswer,
  signatureViews,
} from './attempts.ts'
import { deliveryStatus, FAILED, formatTarget, listedDeliveries } from './deliveries.ts'

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
  const { home, dependencies, merchant, named, parameters } = visit
  const id = getId(visit)
  if (id === undefined) throw noRow('delivery', named.id ?? '')
  const row = await requireFullDelivery(dependencies.webhooks, { merchant_id: merchant.id, id })
  const attempts = (await findAttempts(dependencies.database.db, [id])).slice(-ATTEMPTS)
  const chosen = attempts.filter(({ number }) => nameChoice(number) in parameters)
  const differences = listDifferences(chosen)
  const at = `${home}/webhooks/${row.id}`
  const press = (name: string, words: string, tone?: 'danger' | 'main') =>
    renderButtonForm(visit, `${at}/${name}`, words, tone)
  const [{ order } = {}] = await listedDeliveries(visit, [row])
  const last = attempts.at(-1)
  const failed = last && last.outcome !== 'delivered' ? last : undefined
  return {
    live: [`webhooks/${row.id}`, 'data'],
    title: isTest(row) ? `Delivery ${row.id}, a test` : `Delivery ${row.id}`,
    heading: renderHeading(row.trigger, deliveryStatus(row)),
    actions: html`${row.status === 'pending' ? null : press('remove', 'Delete', 'danger')}
${row.status === 'pending' && row.again_from === null ? press('retry', 'Retry now') : null}
${row.again_from === null ? press('send', 'Send again', 'main') : null}`,
    body: html`<p class="tell">${isTest(row) ? 'A test. ' : null}${
      row.transaction_id === null
        ? null
        : html`About payment <a href="${home}/transactions/${row.transaction_id}">${order || row.transaction_id}</a>, `
    }sent to <code>${formatTarget(row)}</code>. ${describeNext(row)}</p>
${failed ? await causeView(visit, row, failed, attempts) : null}
${renderAttempts(row, attempts, chosen, at)}
${chosen.length > 1 ? html`<p>Different: ${differences.join(', ') || 'only the time'}.</p>` : null}
${last ? (chosen.length > 0 ? chosen : [last]).map((each) => exchangeView(merchant, row, each)) : renderSideBySide(renderMessage({ title: 'Body', note: 'to be sent', text: shorten(indentJson(row.body)) }))}
${renderFacts({
  Created: timeAt(row.created_at),
  Template: row.template && link(row.template, `${home}/webhook_templates`),
  'webhook-id': createIdCell(row.message_id),
  'Event id': createIdCell(row.event_id),
})}`,
  }
}

const createIdCell = (id: string) => ({ text: id, content: html`<code data-copy>${id}</code>` })

/** Describes what happens next to a delivery, and why. */
const describeNext = (row: WebhookDeliveryRow): string =>
  row.again_from === null
    ? PLANS[row.status](row)
    : 'It was requested again by hand and is being sent now.'

const PLANS: Readonly<Record<DeliveryStatus, (row: WebhookDeliveryRow) => string>> = {
  delivered: () => 'Delivered. No further attempts.',
  failed: () => 'This kind of failure is not retried. You can send it again by hand.',
  dead: () => `All ${RETRIES} retries failed. You can send it again by hand.`,
  pending({ attempts, due_at }) {
    const at = timeAt(due_at).text
    if (attempts === 0) return `The first attempt is due at ${at}.`
    const [least, most] = [0, DRAWN_BELOW - 1].map((drawn) => retryDelay(attempts - 1, drawn))
    return `Retry ${attempts} of ${RETRIES} is due at ${at}. The schedule sets it ${least} to ${most} seconds after the attempt before.`
  },
}

/** Failed deliveries of an event that are counted. */
const MOST_COUNTED = 1_000

/** Renders why the last attempt failed, what to do, and the buttons for it. */
async function causeView(
  visit: MerchantVisit,
  row: WebhookDeliveryRow,
  failed: WebhookAttemptRow,
  attempts: readonly WebhookAttemptRow[],
): Promise<SafeHtml> {
  const { dependencies, merchant, home } = visit
  const { trigger, url } = row
  const { code, body } = failed.response
  const reason = findFailure(failed, url) ?? 'The delivery failed.'
  const quoted = findShopError(String(body ?? ''))
  const same = attempts.filter(({ response }) => response.code === code).length
  const all = attempts.length === 1 ? 'the only attempt' : `all ${attempts.length} attempts`
  const which = same === attempts.length ? all : `${same} of ${attempts.length} attempts`
  const title =
    typeof code === 'number' && url !== null
      ? `${code >= 500 ? 'Your handler crashed' : 'Your handler did not accept the webhook'}: it answered ${code} to ${which}`
      : null
  const filter = { merchant_id: merchant.id, trigger, status: ['failed', 'dead'] as const }
  const count = await countRows(
    dependencies.database.db,
    'webhook_deliveries',
    filter,
    MOST_COUNTED,
  )
  return html`<section class="callout ${row.status === 'pending' ? 'waiting' : 'bad'}">
<h2>${title ?? reason}</h2>
${quoted && html`<p><code>${quoted}</code></p>`}
<ol>
${quoted ? html`<li>Fix this error in your handler.</li>` : title && html`<li>${reason}</li>`}
<li>Send this webhook again. It keeps its <code>webhook-id</code>, so your handler can count it once.</li>
${count > 1 ? html`<li>Then send the others that failed.</li>` : null}
</ol>
<div class="btns">${
    count > 1
      ? renderButtonForm(
          visit,
          `${home}/webhooks/send`,
          `Send all ${count} failed ${trigger} again`,
          null,
          renderHiddenFields({ status: FAILED, trigger }),
        )
      : null
  }<a href="${findDocs(home)}/search?q=webhook+twice">Why a webhook can come twice</a></div>
</section>`
}

/** Names the parameter that shows the request and the answer of an attempt. */
const nameChoice = (number: number): string => `attempt-${number}`

/** Creates the columns of a table of attempts. */
function createAttemptColumns(
  { url }: WebhookDeliveryRow,
  attempts: readonly WebhookAttemptRow[],
  chosen: readonly WebhookAttemptRow[],
): readonly Column<WebhookAttemptRow>[] {
  const start = attempts[0]?.created_at ?? 0
  const last = attempts.at(-1)
  // The page starts with the reason of the last attempt.
  const shown = last && findFailure(last, url)
  return [
    [
      'Attempt',
      (attempt) => ({
        ...toCell(attempt.number),
        content: html`<label><input type="checkbox" name="${nameChoice(attempt.number)}"${
          chosen.includes(attempt) ? html` checked` : null
        }> ${attempt.number}</label>`,
        note: attempt.manual ? 'resent by hand' : null,
      }),
      'first',
    ],
    [
      'Answer',
      (attempt) => {
        const { code, error } = attempt.response
        const reason = findFailure(attempt, url)
        return {
          text:
            url !== null && code === null
              ? shortAnswer(attempt, url)
              : formatAttempt(attempt).answer,
          tone: attempt.outcome === 'delivered' ? 'good' : 'bad',
          note: reason !== shown ? reason : url !== null && error !== null ? String(error) : null,
        }
      },
      'first-end',
    ],
    ['When', ({ created_at }) => timeAt(created_at), 'second'],
    [
      'After',
      ({ created_at }) => (created_at > start ? formatDuration(created_at - start) : 'at once'),
      'second-end',
    ],
    ['ms', ({ duration }) => quantity(duration)],
  ]
}

/** Renders the attempts on a line of time, past and planned, and as a table without equal rows. */
function renderAttempts(
  row: WebhookDeliveryRow,
  attempts: readonly WebhookAttemptRow[],
  chosen: readonly WebhookAttemptRow[],
  at: string,
): SafeHtml {
  const planned = listPlannedAttempts(row).length
  const columns = createAttemptColumns(row, attempts, chosen)
  const rows = (some: readonly WebhookAttemptRow[]) => renderTable(fill(columns, some, at))
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
    ? html`<form method="get">${rows(attempts.filter((attempt, index) => !isFolded(attempt, index)))}
${equal.length > 0 ? renderFolded(`Show the ${equal.length} others, which are the same`, rows(equal)) : null}
${attempts.length > 1 ? html`<p class="foot"><button class="small">Show the chosen attempts</button></p>` : null}</form>`
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
  const tone = last.outcome === 'delivered' ? 'good' : 'bad'
  return html`<h2>Attempt ${last.number}</h2>
${renderSideBySide(
  renderMessage({
    title: row.url === null ? 'Mail' : formatTarget(row).replace(/^(\w+) https?:\/\/[^/]+/, '$1 '),
    note: `${row.data_format}, ${sent.length} characters`,
    text: shorten(indentJson(row.body)),
    children:
      sent === row.body ? null : renderFolded('Body as sent', renderCodeBlock(shorten(sent))),
  }),
  renderMessage({
    title: html`<span class="is ${tone}">${shortAnswer(last, row.url)}</span>`,
    note: `your answer, ${last.duration} ms`,
    text: body,
    marked: findShopError(body) ?? null,
  }),
)}
${sentHeaders && renderFolded(`Headers of attempt ${last.number}`, renderCodeBlock(sentHeaders))}
${headers && renderFolded('Headers of the answer', renderCodeBlock(headers))}
${signatureViews(row, last, merchant)}`
}
