import { durationText } from '../../../domain/duration-text.ts'
import { indentJson } from '../../../domain/json.ts'
import { wireTime } from '../../../serializers/time.ts'
import type { WebhookAttemptRow } from '../../../storage/tables/webhook-attempts.ts'
import type {
  DeliveryStatus,
  FullDelivery,
  WebhookDeliveryRow,
} from '../../../storage/tables/webhook-deliveries.ts'
import { findAttempts } from '../../../storage/webhook-attempts.ts'
import { countDeliveries, type DeliveryFilter } from '../../../storage/webhook-deliveries.ts'
import { requireFullDelivery } from '../../../webhooks/administer.ts'
import { DRAWN_BELOW, RETRIES, retryDelay } from '../../../webhooks/schedule.ts'
import { isTest } from '../../../webhooks/send-test.ts'
import { hiddenFields, html, type SafeHtml } from '../../pages/html.ts'
import {
  codeBlock,
  factsIn,
  formatCount,
  link,
  longText,
  message,
  plain,
  shorten,
  sideBySide,
  time,
  timeAt,
} from '../parts/cells.ts'
import { foldedFacts, heading } from '../parts/details.ts'
import { buttonForm } from '../parts/forms.ts'
import { emptyState } from '../parts/problem.ts'
import { fill, table } from '../parts/table.ts'
import { type ConsoleView, findDocs, getId, type MerchantVisit, noRow } from '../visit.ts'
import {
  ATTEMPT_COLUMNS,
  attemptLine,
  checkSignatures,
  checkView,
  findFailure,
  findShopError,
  shortAnswer,
  type Try,
  textsOfAttempt,
} from './attempts.ts'
import { deliveryStatus, FAILED, formatTarget, listedDeliveries } from './delivery-table.ts'

/** Selects the delivery in the address, if it belongs to the merchant. */
export function filterOwn(visit: MerchantVisit): DeliveryFilter {
  const id = getId(visit)
  if (id === undefined) throw noRow('delivery', visit.named.id ?? '')
  return { merchantId: visit.merchant.id, id }
}

/** Attempts on a page; of more the last are shown. */
export const ATTEMPTS = 50

export async function showDelivery(visit: MerchantVisit): Promise<ConsoleView> {
  const { home, dependencies } = visit
  const { db } = dependencies.database
  const row = await requireFullDelivery(dependencies.webhooks, filterOwn(visit))
  const attempts = (await findAttempts(db, [row.id])).slice(-ATTEMPTS)
  const at = `${home}/webhooks/${row.id}`
  const press = (name: string, words: string, tone?: 'danger' | 'main') =>
    buttonForm(visit, `${at}/${name}`, words, tone)
  const [{ order } = {}] = await listedDeliveries(visit, [row])
  const last = attempts.at(-1)
  const failed = last && last.outcome !== 'delivered' ? last : undefined
  const reason = failed ? findFailure(failed, row.url) : null
  return {
    live: [`webhooks/${row.id}`, 'data'],
    title: isTest(row) ? `Delivery ${row.id}, a test` : `Delivery ${row.id}`,
    heading: heading(row.trigger, deliveryStatus(row)),
    actions: html`${row.status === 'pending' ? null : press('remove', 'Delete', 'danger')}
${row.status === 'pending' && row.again_from === null ? press('retry', 'Retry now') : null}
${row.again_from === null ? press('send', 'Send again', 'main') : null}`,
    body: html`<p class="tell">${isTest(row) ? 'A test. ' : null}${
      row.transaction_id === null
        ? null
        : html`About payment <a href="${home}/transactions/${row.transaction_id}">${order || row.transaction_id}</a>, `
    }sent to <code>${formatTarget(row)}</code>. ${describeNext(row)}</p>
${failed ? await causeView(visit, row, failed, attempts) : null}
${attemptsView(row, attempts, reason, at)}
${last ? exchangeView(visit, row, last) : sideBySide(message({ title: 'Body', note: 'to be sent', text: shorten(indentJson(row.body)) }))}
${foldedFacts('All fields', listDeliveryFacts(row, home))}`,
  }
}

/** Renders why the last attempt failed, what to do, and the buttons for it. */
async function causeView(
  visit: MerchantVisit,
  row: WebhookDeliveryRow,
  failed: WebhookAttemptRow,
  attempts: readonly WebhookAttemptRow[],
): Promise<SafeHtml> {
  const { dependencies, merchant, home } = visit
  const reason = findFailure(failed, row.url) ?? 'The delivery failed.'
  const { code } = failed.response
  const quoted = findShopError(String(failed.response.body ?? ''))
  const same = attempts.filter((each) => each.response.code === code).length
  const all = attempts.length === 1 ? 'the only attempt' : `all ${attempts.length} attempts`
  const which = same === attempts.length ? all : `${same} of ${attempts.length} attempts`
  const title =
    typeof code === 'number' && row.url !== null
      ? `${code >= 500 ? 'Your handler crashed' : 'Your handler did not accept the webhook'}: it answered ${code} to ${which}`
      : null
  const filter = {
    merchantId: merchant.id,
    trigger: row.trigger,
    statuses: ['failed', 'dead'] as const,
  }
  const count = await countDeliveries(dependencies.database.db, filter, MOST_COUNTED)
  return html`<section class="cause${row.status === 'pending' ? html` mild` : null}">
<h2>${title ?? reason}</h2>
${quoted && html`<p><code>${quoted}</code></p>`}
<ol>
${quoted ? html`<li>Fix this error in your handler.</li>` : title && html`<li>${reason}</li>`}
<li>Send this webhook again. It keeps its <code>webhook-id</code>, so your handler can count it once.</li>
${count > 1 ? html`<li>Then send the others that failed.</li>` : null}
</ol>
<div class="btns">${
    count > 1
      ? buttonForm(
          visit,
          `${home}/webhooks/send`,
          `Send all ${count} failed ${row.trigger} again`,
          null,
          hiddenFields({ status: FAILED, trigger: row.trigger }),
        )
      : null
  }<a href="${findDocs(home)}/search?q=webhook+twice">Why a webhook can come twice</a></div>
</section>`
}

/** Failed deliveries of an event that are counted. */
const MOST_COUNTED = 1_000

/** Renders the attempts on a line of time, past and planned, and as a table without equal rows. */
function attemptsView(
  row: WebhookDeliveryRow,
  attempts: readonly WebhookAttemptRow[],
  reason: string | null,
  at: string,
): SafeHtml {
  const [first] = attempts
  const planned = listPlannedAttempts(row)
  const rows = attempts.map((attempt) => ({
    ...attempt,
    url: row.url,
    shown: reason,
    after:
      first && attempt !== first ? durationText(attempt.created_at - first.created_at) : 'at once',
  }))
  // The first two and the last one tell a schedule; equal ones between them are folded.
  const isFolded = (_: unknown, index: number) =>
    index > 1 && index < rows.length - 1 && isLike(attempts[index], attempts[index - 1])
  const folded = rows.filter(isFolded)
  const renderAttempts = (some: typeof rows) => table(fill(ATTEMPT_COLUMNS, some, at))
  const span =
    attempts.length > 1
      ? ` in ${durationText((attempts.at(-1)?.created_at ?? 0) - (first?.created_at ?? 0))}`
      : ''
  return html`<h2>${formatCount(row.calls, 'attempt')}${span}${planned.length > 0 ? html` <span class="quiet">${planned.length} more are planned, each only if the attempt before fails</span>` : null}</h2>
${attemptLine([
  ...attempts.map((attempt) => ({
    at: attempt.created_at,
    tone: attempt.outcome === 'delivered' ? ('good' as const) : ('bad' as const),
    what: `Attempt ${attempt.number}, ${time(wireTime(attempt.created_at)).text}: ${shortAnswer(attempt, row.url)}`,
  })),
  ...planned,
])}
${
  attempts.length > 0
    ? renderAttempts(rows.filter((each, index) => !isFolded(each, index)))
    : emptyState('No attempts yet.')
}
${folded.length > 0 ? html`<details><summary>Show the ${folded.length} others, which are the same</summary>${renderAttempts(folded)}</details>` : null}
${attempts.length > 1 ? html`<p><a href="${at}/compare">Compare two attempts</a></p>` : null}`
}

const isLike = (one?: WebhookAttemptRow, other?: WebhookAttemptRow): boolean =>
  one?.response.code === other?.response.code &&
  one?.response.error === other?.response.error &&
  one?.manual === other?.manual

/** Lists the retries of the schedule, if each attempt fails. */
function listPlannedAttempts({ status, due_at, attempts }: WebhookDeliveryRow): Try[] {
  const planned: Try[] = []
  let at = due_at
  for (let retry = attempts; status === 'pending' && at !== null && retry <= RETRIES; retry += 1) {
    const what = retry === 0 ? 'First attempt' : `Retry ${retry} of ${RETRIES}`
    planned.push({ at, tone: 'planned', what: `${what}, ${time(wireTime(at)).text}` })
    at += retryDelay(retry, DRAWN_BELOW / 2) * 1_000
  }
  return planned
}

/** Renders the last request and its answer, the headers, and how to verify the signature. */
function exchangeView(
  { merchant }: MerchantVisit,
  row: FullDelivery,
  last: WebhookAttemptRow,
): SafeHtml {
  const { sentHeaders, headers, body } = textsOfAttempt(last)
  const checks = checkSignatures(row, last, merchant)
  const asSent = last.request_body ?? row.body
  const isRight = checks.every(([, check]) => check.isRight)
  const answer = shortAnswer(last, row.url)
  return html`<h2>Attempt ${last.number}</h2>
${sideBySide(
  message({
    title: row.url === null ? 'Mail' : formatTarget(row).replace(/^(\w+) https?:\/\/[^/]+/, '$1 '),
    note: `${row.data_format}, ${asSent.length} characters`,
    text: shorten(indentJson(row.body)),
    children:
      asSent === row.body
        ? null
        : html`<details><summary>Body as sent</summary>${codeBlock(shorten(asSent))}</details>`,
  }),
  message({
    title: html`<span class="is ${last.outcome === 'delivered' ? 'good' : 'bad'}">${answer}</span>`,
    note: `your answer, ${last.duration} ms`,
    text: body,
    marked: findShopError(body) ?? null,
  }),
)}
${sentHeaders && html`<details><summary>Headers of attempt ${last.number}</summary>${codeBlock(sentHeaders)}</details>`}
${headers && html`<details><summary>Headers of the answer</summary>${codeBlock(headers)}</details>`}
${checks.map(checkView)}
<p class="foot">${checks.length > 0 ? html`<span class="is ${isRight ? 'good' : 'bad'}">Signature is ${isRight ? 'valid' : 'invalid'}</span>` : html`<span></span>`}
<span>webhook-id <code data-copy>${row.message_id}</code></span></p>`
}

const listDeliveryFacts = (row: WebhookDeliveryRow, home: string) =>
  factsIn({
    Created: timeAt(row.created_at),
    Trigger: plain(row.trigger),
    Template: row.template === null ? plain('') : link(row.template, `${home}/webhook_templates`),
    Target: longText(formatTarget(row)),
    'Data format': plain(row.data_format),
    'webhook-id': plain(row.message_id),
    'Event id': plain(row.event_id),
    Attempts: plain(row.calls),
    'Next attempt': timeAt(row.due_at),
  })

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
    const at = timeAt(due_at).text
    if (attempts === 0) return `The first attempt is due at ${at}.`
    const [least, most] = [0, DRAWN_BELOW - 1].map((drawn) => retryDelay(attempts - 1, drawn))
    return `Retry ${attempts} of ${RETRIES} is due at ${at}. The schedule sets it ${least} to ${most} seconds after the attempt before.`
  },
}
