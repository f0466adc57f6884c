import { type CardType, findBrandByType } from '../../domain/card/card-types.ts'
import { escapeHtml } from '../../domain/escape-html.ts'
import { isObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import {
  asLocale,
  DEFAULT_LOCALE,
  formatTime,
  type Locale,
} from '../../domain/language/languages.ts'
import { readCurrency } from '../../domain/money/currencies.ts'
import { formatMoney, readAmountFilter } from '../../domain/money/money.ts'
import { isMailAddress } from '../../domain/webhook/request.ts'
import type { MailRow } from '../../storage/tables/notifications.ts'
import type { WebhookDeliveryRow } from '../../storage/tables/webhook-deliveries.ts'
import { type MailOccasion, type MailTexts, TEXTS } from './texts.ts'

/** Subject of a mail, and its content in both forms. */
export type MailContent = Pick<MailRow, 'subject' | 'html' | 'text'>

const text = (value: JsonValue | undefined): string =>
  value === null || value === undefined ? '' : String(value)

/** Returns the subject of a body, by its trigger and the transaction's status. */
function chooseOccasion(trigger: string, { status }: JsonObject): MailOccasion {
  if (trigger === 'alert') return 'alert'
  if (trigger === 'stored_card') return 'card'
  if (trigger === 'refund') return 'refunded'
  if (status === 'approved') return 'paid'
  if (status === 'authorized') return 'reserved'
  return status === 'declined' || status === 'failed' ? 'unpaid' : 'open'
}

/** Returns the language of the prepared payment, or the default. */
export const chooseLocale = ({ payment_request }: JsonObject): Locale =>
  (isObject(payment_request) ? asLocale(payment_request.locale) : undefined) ?? DEFAULT_LOCALE

/** Returns the receipt's address, from the merchant or the payer; undefined if neither gave one. */
export function findPayerAddress({ payment_details, metadata }: JsonObject): string | undefined {
  const given = [payment_details, metadata].map((from) => (isObject(from) ? from.email : undefined))
  return given.find((email): email is string => typeof email === 'string' && isMailAddress(email))
}

/** Name of the brand, if the payment has one, and last four digits: `Visa 1111`. */
function cardName({ card_type, card_number }: JsonObject): string {
  const type = text(card_type).toLowerCase()
  const brand = type && type !== 'stored_card' ? findBrandByType(type as CardType).name : ''
  return `${brand} ${text(card_number).slice(-4)}`.trim()
}

/** Month and year as on the card: `12/30`. */
const formatExpiry = (expires: string): string => `${expires.slice(5, 7)}/${expires.slice(2, 4)}`

function formatStatus({ status, payment_method }: JsonObject, texts: MailTexts['status']): string {
  if (status === 'authorized' && payment_method === 'invoice') return texts.invoice
  return texts[status as keyof typeof texts]
}

/**
 * Composes a mail without a template (our decision: the specification shows no mail).
 * @param body the webhook's object at the time of the event
 */
export function composeMail(
  { trigger, type }: Pick<WebhookDeliveryRow, 'trigger' | 'type'>,
  body: JsonObject,
  merchant: string,
): MailContent {
  const occasion = chooseOccasion(trigger, body)
  // The message of an alert is in the language of the console.
  const locale = occasion === 'alert' ? 'en' : chooseLocale(body)
  const texts = TEXTS[locale]
  const { label } = texts
  const subject = texts[type === 'receipt' ? 'payer' : 'merchant'][occasion]
  const money = (amount: JsonValue | undefined): string => {
    const [sent, currency] = [text(amount), text(body.currency)]
    const known = readAmountFilter(sent)
    if (known !== undefined) return formatMoney(known, readCurrency(currency), locale)
    return sent && `${sent} ${currency.toUpperCase()}`
  }
  const refunds = Array.isArray(body.refunds) ? body.refunds : []
  const last = refunds.at(-1)
  const amount = [label.amount, money(body.amount)] as const
  const card = [label.card, cardName(body)] as const
  const status = [label.status, formatStatus(body, texts.status)] as const
  const rows: Readonly<Record<MailOccasion, readonly (readonly [string, string])[]>> = {
    paid: [amount, card, status],
    reserved: [amount, card, status],
    unpaid: [
      amount,
      [label.error, isObject(body.error) ? text(body.error.description) : ''],
      status,
    ],
    open: [amount, status],
    refunded: isObject(last)
      ? [
          [label.refund, money(last.amount)],
          [label.reason, text(last.reason)],
        ]
      : [],
    card: [card, [label.expires, formatExpiry(text(body.expires))]],
    alert: [[label.error, text(body.message)]],
  }
  const at = Date.parse(text(body.updated_at ?? body.created_at))
  const always = [
    [label.order, text(body.payment_ref)],
    [label.date, Number.isNaN(at) ? '' : formatTime(at, locale)],
  ] as const
  const written = [...rows[occasion], ...always].filter(([, value]) => value !== '')
  return writeContent(merchant === '' ? subject : `${subject}: ${merchant}`, written, texts)
}

function writeContent(
  subject: string,
  rows: readonly (readonly [name: string, value: string])[],
  { simulated }: MailTexts,
): MailContent {
  const html = [
    `<h1>${escapeHtml(subject)}</h1>`,
    '<table>',
    ...rows.map(
      ([name, value]) =>
        `<tr><th align="left">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
    ),
    '</table>',
    `<p>${escapeHtml(simulated)}</p>`,
  ]
  const lines = rows.map(([name, value]) => `${name}: ${value}`)
  return {
    subject,
    html: html.join('\n'),
    text: [subject, '', ...lines, '', simulated, ''].join('\n'),
  }
}

/**
 * Composes a mail from a rendered template. A first line that begins with `Subject:` is the
 * subject.
 * @param html output of the template
 * @param usual subject of a mail without that line
 */
export function composeFromTemplate(html: string, usual: string): MailContent {
  const [, subject, rest] = /^\s*Subject:[ \t]*([^\r\n]*)\r?\n?([\s\S]*)$/i.exec(html) ?? []
  const page = rest ?? html
  return {
    subject: subject === undefined ? usual : toPlainText(subject),
    html: page,
    text: toPlainText(page),
  }
}

/** Elements whose text is not displayed. */
const HIDDEN_ELEMENTS = ['style', 'script', 'head'] as const

const BREAKS: ReadonlySet<string> = new Set('br /p /tr /h1 /h2 /h3 /h4 /h5 /h6 /li /div'.split(' '))

function removeTags(html: string): string {
  const lower = html.toLowerCase()
  const lastEnds = new Map<string, number>(
    HIDDEN_ELEMENTS.map((name) => [name, lower.lastIndexOf(`</${name}`)]),
  )
  let text = ''
  let at = 0
  let unseen: string | undefined
  for (const { 0: tag, index } of lower.matchAll(/<[^<>]*>/g)) {
    const [name = ''] = /^\/?[a-z0-9]*/.exec(tag.slice(1)) ?? []
    if (unseen === undefined) text += html.slice(at, index) + (BREAKS.has(name) ? '\n' : ' ')
    at = index + tag.length
    if (unseen === undefined && index < (lastEnds.get(name) ?? -1)) unseen = name
    else if (name === `/${unseen}`) unseen = undefined
  }
  return text + html.slice(at)
}

const NAMED: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  amp: '&',
}

const character = (entity: string, number: string | undefined, name: string | undefined): string =>
  number === undefined
    ? (NAMED[name ?? ''] ?? entity)
    : String.fromCodePoint(Math.min(Number(number), 0x10ffff))

/** Converts HTML to plain text. */
export const toPlainText = (html: string): string =>
  removeTags(html)
    .replace(/&(?:#(\d+)|([a-z]+));/g, character)
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
