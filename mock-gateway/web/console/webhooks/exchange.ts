import { indentJson } from '../../../domain/json.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import type { WebhookAttemptRow } from '../../../storage/tables/webhook-attempts.ts'
import type { FullDelivery } from '../../../storage/tables/webhook-deliveries.ts'
import { listSigningKeys } from '../../../webhooks/signature.ts'
import { checkResponseHash, checkSignature } from '../../../webhooks/signature-check.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { renderCodeBlock, renderMessage, renderSideBySide } from '../../pages/messages.ts'
import {
  type Fact,
  type Facts,
  longText,
  renderCell,
  renderChoice,
  renderFacts,
  shorten,
} from '../parts/cells.ts'
import { renderFolded } from '../parts/forms.ts'
import type { MerchantVisit } from '../visit.ts'
import { findShopError, formatAttempt, shortAnswer } from './attempts.ts'
import { formatTarget, withoutHost } from './deliveries.ts'

/** Names an attempt in the address of its page. */
export const nameChoice = (number: number): string => `attempt-${number}`

/** Returns the address of an attempt on its page; with another one, the page shows both. */
export const getAttemptAddress = (...attempts: readonly WebhookAttemptRow[]): string =>
  `?${attempts.map(({ number }) => `${nameChoice(number)}=on`).join('&')}#${nameChoice(attempts[0]?.number ?? 1)}`

/** Parts of an attempt, by their word in the address. */
const PARTS = { body: 'Body', headers: 'Headers', signature: 'Signature' } as const

/** Renders a request and its answer: their bodies, their headers, or how to verify the signature. */
export function renderExchange(
  { merchant, parameters }: MerchantVisit,
  row: FullDelivery,
  attempt: WebhookAttemptRow,
  { attempts, shown }: Readonly<Record<'attempts' | 'shown', readonly WebhookAttemptRow[]>>,
): SafeHtml {
  const { sentHeaders, headers, body } = formatAttempt(attempt)
  const sent = attempt.request_body ?? row.body
  const checks = checkAttempt(row, attempt, merchant)
  const words = Object.entries(PARTS).filter(
    ([word]) => row.url !== null && (word !== 'signature' || checks.length > 0),
  )
  const [part] = words.find(([word]) => word === parameters.part) ?? ['body']
  const getPartAddress = (word: string) =>
    getAttemptAddress(...shown).replace('#', `&part=${word}#`)
  const isBody = part === 'body'
  const before = attempts[attempts.indexOf(attempt) - 1]
  return html`<div class="row head" id="${nameChoice(attempt.number)}"><h2>Attempt ${attempt.number}</h2>
${
  words.length > 0
    ? renderChoice(
        'Part',
        words.map(([word, name]) => [name, getPartAddress(word)]),
        getPartAddress(part),
      )
    : null
}</div>
${
  part === 'signature'
    ? checks.map(({ title, facts }) => html`<h3>${title}</h3>${renderFacts(facts)}`)
    : renderSideBySide(
        renderMessage({
          title: row.url === null ? 'Mail' : withoutHost(formatTarget(row)),
          note: `${row.data_format}, ${sent.length} characters`,
          text: isBody ? shorten(indentJson(row.body)) : sentHeaders,
          children:
            isBody && sent !== row.body
              ? renderFolded('Body as sent', renderCodeBlock(shorten(sent)))
              : null,
        }),
        renderMessage({
          title: html`<span class="is ${attempt.outcome === 'delivered' ? 'good' : 'bad'}">${shortAnswer(attempt, row.url)}</span>`,
          note: `your answer, ${attempt.duration} ms`,
          text: isBody ? body : headers,
          marked: findShopError(body) ?? null,
        }),
      )
}
<p class="row">${checks.map(({ title, isRight }) =>
    renderCell({
      text: `${title} is ${isRight ? 'valid' : 'invalid: the key or the secret has changed since'}`,
      tone: isRight ? 'good' : 'bad',
    }),
  )}
${
  before &&
  html`<span class="quiet">Different from attempt ${before.number}: ${listDifferences([before, attempt]).join(', ') || 'only the time'}.
<a href="${getAttemptAddress(before, attempt)}">Compare them</a></span>`
}</p>`
}

const COMPARED = {
  sentHeaders: 'headers',
  sent: 'body',
  answer: 'answer',
  headers: 'headers of the answer',
  body: 'body of the answer',
} as const

/** Names the parts that are not equal in all of these attempts. */
function listDifferences(attempts: readonly WebhookAttemptRow[]): readonly string[] {
  const texts = attempts.map(formatAttempt)
  return Object.entries(COMPARED)
    .filter(([part]) => new Set(texts.map((each) => each[part as keyof typeof COMPARED])).size > 1)
    .map(([, name]) => name)
}

/** Maximum characters of the joined text: the whole body is elsewhere on the page. */
const JOINED = 8 * 1024

/** Checks an attempt as its receiver does: by its signature, and by the hash in the body. */
function checkAttempt(
  { body, http_method }: FullDelivery,
  { request_headers, request_body }: WebhookAttemptRow,
  merchant: Merchant,
): readonly { readonly title: string; readonly isRight: boolean; readonly facts: Facts }[] {
  if (request_headers === null) return []
  const sent = { headers: request_headers, body: http_method === 'get' ? '' : (request_body ?? '') }
  return Object.entries({
    Signature: checkSignature(sent, listSigningKeys(merchant)),
    'Hash in the body': checkResponseHash(body, merchant.secret),
  }).flatMap(([title, check]) => {
    if (!check) return []
    const { isRight, parts, joined, recipe, digests, sent } = check
    const facts: readonly Fact[] = [
      ...parts.map(
        ([name, value]): Fact => [
          name,
          longText(name === 'body' ? `unchanged, ${value.length} characters` : value || 'empty'),
        ],
      ),
      ['Joined', { text: shorten(joined, JOINED), code: true }],
      ['Digest', { ...longText(digests.join(' ')), note: recipe }],
      ['Received', longText(sent)],
    ]
    return { title, isRight, facts }
  })
}
