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
import { renderMessage, renderSideBySide } from '../../pages/messages.ts'
import {
  type Cell,
  formatCount,
  link,
  quantity,
  renderFacts,
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
  listPlannedAttempts,
  shortAnswer,
} from './attempts.ts'
import {
  deliveryStatus,
  FAILED,
  formatTarget,
  isHeld,
  listedDeliveries,
  SENT_AT_ONCE,
} from './deliveries.ts'
import { getAttemptAddress, nameChoice, renderExchange } from './exchange.ts'

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
  const last = attempts.at(-1)
  const chosen = attempts.filter(({ number }) => nameChoice(number) in parameters)
  const shown = chosen.length > 0 ? chosen : attempts.slice(-1)
  const [{ order } = {}] = await listedDeliveries(visit, [row])
  return {
    live: [`webhooks/${row.id}`, 'data'],
    title: isTest(row) ? `Delivery ${row.id}, a test` : `Delivery ${row.id}`,
    heading: renderHeading(row.trigger, deliveryStatus(row, true)),
    actions: renderActions(visit, row),
    summary: html`${isTest(row) ? 'A test. ' : null}${
      row.transaction_id &&
      html`About payment <a href="${home}/transactions/${row.transaction_id}">${order || row.transaction_id}</a>, `
    }sent to <code>${formatTarget(row)}</code>. ${isHeld(row) ? html`This webhook is held. It is sent when you <a href="${home}/controls#webhooks">release it</a>.` : row.again_from === null ? ENDS[row.status] : 'It was requested again by hand and is being sent now.'}`,
    body: html`${last && last.outcome !== 'delivered' ? await causeView(visit, row, last, attempts) : null}
${renderAttempts(visit, row, attempts, shown)}
${
  last
    ? shown.map((each) => renderExchange(visit, row, each, { attempts, shown }))
    : renderSideBySide(
        renderMessage({ title: 'Body', note: 'to be sent', text: shorten(indentJson(row.body)) }),
      )
}
${renderFacts(
  {
    Created: timeAt(row.created_at),
    Template: row.template && link(row.template, `${home}/webhook_templates`),
    'webhook-id': createIdCell(row.message_id),
    'Event id': createIdCell(row.event_id),
  },
  'summary',
)}`,
  }
}

function renderActions(visit: MerchantVisit, { id, status, again_from }: FullDelivery): SafeHtml {
  const press = (name: string, words: string, tone?: 'danger' | 'main') =>
    renderButtonForm(visit, `${visit.home}/webhooks/${id}/${name}`, words, tone)
  return html`${status === 'pending' ? null : press('remove', 'Delete', 'danger')}
${again_from === null ? press('send', 'Send again', 'main') : null}`
}

const createIdCell = (id: string) => ({ text: id, content: html`<code data-copy>${id}</code>` })

/** Describes why a delivery is not retried. */
const ENDS: Readonly<Record<DeliveryStatus, string | null>> = {
  delivered: null,
  pending: null,
  failed: 'This kind of failure is not retried. You can send it again by hand.',
  dead: `All ${RETRIES} retries failed. You can send it again by hand.`,
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

function createAttemptColumns(
  { url }: WebhookDeliveryRow,
  attempts: readonly WebhookAttemptRow[],
  chosen: readonly WebhookAttemptRow[],
): readonly Column<WebhookAttemptRow>[] {
  const start = attempts[0]?.created_at ?? 0
  const last = attempts.at(-1)
  // The page starts with the reason of the last attempt.
  const shown = last && findFailure(last, url)
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
        text: String(attempt.number),
        content: html`<a href="${getAttemptAddress(attempt)}"${chosen.includes(attempt) ? html` aria-current="true"` : null}>${attempt.number}</a>`,
        note: attempt.manual ? 'resent by hand' : null,
      }),
      'first',
    ],
    ['Answer', createAnswerCell, 'first-end'],
    // The attempts of a day differ only by their hour, also on a phone.
    ['When', ({ created_at }) => ({ text: timeAt(created_at).text, number: true }), 'second'],
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
  visit: MerchantVisit,
  row: FullDelivery,
  attempts: readonly WebhookAttemptRow[],
  chosen: readonly WebhookAttemptRow[],
): SafeHtml {
  const [next] = listPlannedAttempts(row)
  const columns = createAttemptColumns(row, attempts, chosen)
  const rows = (some: readonly WebhookAttemptRow[]) => renderTable(fill(columns, some, visit.home))
  // The first two and the last one show the schedule; equal ones between them are folded.
  const results = attempts.map(
    ({ response: { code, error }, manual }) => `${code} ${error} ${manual}`,
  )
  const isFolded = (_: unknown, index: number) =>
    index > 1 && index < attempts.length - 1 && results[index] === results[index - 1]
  const equal = attempts.filter(isFolded)
  const span = (attempts.at(-1)?.created_at ?? 0) - (attempts[0]?.created_at ?? 0)
  const left = (next?.at ?? 0) - getExchange(visit.response).now
  const due = left > 0 ? `due in ${formatDuration(left)}` : 'due now'
  const retry = row.attempts === 0 ? 'The first attempt' : `Retry ${row.attempts} of ${RETRIES}`
  return html`<div class="row head"><h2>${formatCount(row.calls, 'attempt')}${attempts.length > 1 ? ` in ${formatDuration(span)}` : null}</h2>
${
  row.status === 'pending' && row.again_from === null
    ? html`<div class="row"><span class="quiet">${retry} is ${next ? due : 'held'}</span>
${renderButtonForm(visit, `${visit.home}/webhooks/${row.id}/retry`, 'Retry now')}</div>`
    : null
}</div>
${attemptLine(attempts, row)}
${
  attempts.length > 0
    ? html`${rows(attempts.filter((attempt) => !equal.includes(attempt)))}
${equal.length > 0 ? renderFolded(`Show the ${equal.length} others, which are the same`, rows(equal)) : null}`
    : renderEmptyState('No attempts yet.')
}`
}
