import { detectMaskedBrand, formatCardType } from '../../../domain/card/card-types.ts'
import type { JsonObject, JsonValue } from '../../../domain/json.ts'
import { formatWireTime } from '../../../serializers/time.ts'
import { withBreaks } from '../../pages/breaks.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { renderCodeBlock } from '../../pages/messages.ts'
import { formatSecond } from '../../pages/times.ts'

export interface Cell {
  readonly text: string
  /** The text of the API, if a page shows it in another form. A file contains it. */
  readonly wire?: string
  readonly to?: string | null
  /** Colour of a status. */
  readonly tone?: Tone
  /** Numbers that stay on one line, such as an amount or a time. */
  readonly number?: boolean
  /** An amount or a count: its column ends at one edge, so that digits are under each other. */
  readonly quantity?: boolean
  /** JSON and other texts with significant spaces. */
  readonly code?: boolean
  /** A text that may have to break inside a word. */
  readonly long?: boolean
  /** A time in the API's format: a script shows it relative to now. */
  readonly moment?: string
  /** A text to copy, such as an id: a script adds a button. */
  readonly copy?: boolean
  /** Small text below it. */
  readonly note?: string | null
  /** The note is folded, and opens with the text. */
  readonly folds?: boolean
  /** Content of a page instead of the text, such as a form. */
  readonly content?: SafeHtml
}

type Tone = 'good' | 'reserved' | 'waiting' | 'bad' | 'off'

/** A cell, or a text without a special display. */
export type CellValue = Cell | string | number | null | undefined

export const toCell = (value: CellValue): Cell =>
  typeof value === 'object' && value !== null ? value : { text: String(value ?? '') }

/** Creates a cell for an external address, without a link. */
export const longText = (text: string): Cell => ({ text, long: true })

/** Creates a cell to copy: an id, a reference, a hash. */
export function copied(value: CellValue): Cell {
  const cell = toCell(value)
  return { ...cell, copy: cell.text !== '' }
}

export const link = (text: string | number, to: string): Cell => ({ text: String(text), to })

/** Links to a payment by its reference, or by its id if it has none. */
export const orderLink = (
  id: number,
  reference: string | null | undefined,
  home: string,
): Cell => ({
  ...link(reference || id, `${home}/transactions/${id}`),
  number: true,
})

export const quantity = (value: string | number | null | undefined): Cell => ({
  ...toCell(value),
  number: true,
  quantity: true,
})

/** Separates the thousands of an amount with two decimals; returns any other text unchanged. */
export const presentAmount = (amount: string): string =>
  /^-?\d{4,}\.\d\d$/.test(amount) ? amount.replace(/\B(?=(?:\d{3})+\.)/g, ',') : amount

/** Formats an amount with its currency: `1,249.00 SEK`. @param amount as in the API */
export const formatMoney = (amount: string, currency: string): string =>
  `${presentAmount(amount)} ${currency.toUpperCase()}`

/** @param amount as in the API */
export const money = (amount: string, currency: string): Cell => ({
  ...quantity(formatMoney(amount, currency)),
  content: html`${presentAmount(amount)} <span class="quiet">${currency.toUpperCase()}</span>`,
  wire: `${amount} ${currency.toUpperCase()}`,
})

/** An amount as in the API, and its currency. */
export type Price = readonly [amount: string, currency: string]

/** Creates a cell of amounts in several currencies. @param after such as their period */
export const moneyList = (prices: readonly Price[], after = ''): Cell => ({
  text: prices.map((price) => formatMoney(...price)).join(', ') + after,
  number: true,
  content: html`${prices.map(
    (price, at) => html`${at > 0 ? ', ' : null}${money(...price).content}`,
  )}<span class="quiet">${after}</span>`,
})

/**
 * Formats a card: `Visa 1111`.
 * @param number masked, with its first and last digits
 */
export const renderCard = (type: string, number: string): string => {
  const brand = type === STORED_CARD ? detectMaskedBrand(number) : undefined
  const name = brand === undefined ? type : formatCardType(brand)
  return `${BRANDS[name] ?? name}\u00a0${number.slice(-4)}`
}

const BRANDS: Readonly<Record<string, string>> = {
  VISA: 'Visa',
  MASTERCARD: 'Mastercard',
  AMEX: 'Amex',
  MAESTRO: 'Maestro',
  DINERS: 'Diners',
  DISCOVER: 'Discover',
}

/** Type of a payment with a stored card: people look for its brand. */
const STORED_CARD = formatCardType('stored_card')

/** Creates a cell for the card of an object; empty without a card. */
export function card({ card_type, card_number }: JsonObject): Cell {
  if (typeof card_number !== 'string' || card_number === '') return toCell('')
  const text = renderCard(String(card_type ?? ''), card_number)
  return { text, number: true, wire: card_number }
}

export const status = (text: string): Cell => ({ text, tone: TONES[text] ?? 'off' })

/** Words of the statuses that the API names otherwise. */
const WORDS: Readonly<Record<string, string>> = {
  pending: 'Not paid yet',
  '3ds pending': 'At the bank',
  authorized: 'Reserved',
  'capture pending': 'Capture pending',
  approved: 'Approved',
  declined: 'Declined',
  failed: 'Failed',
}

/** Creates a cell for the status of a payment in words; a file contains the status of the API. */
export const paymentStatus = (text: string): Cell => ({
  ...status(text),
  text: WORDS[text] ?? text,
  wire: text,
})

/** Shows `1 Apr 2026, 12:00:00`. @param moment in the API's format, such as `2026-04-01T12:00:00Z` */
export const time = (moment: string): Cell => ({
  text: formatSecond(moment),
  wire: moment.replace('T', ' ').replace('Z', ''),
  number: true,
  moment,
})

/** @param at epoch milliseconds; null for no time */
export const timeAt = (at: number | null): Cell =>
  at === null ? toCell('') : time(formatWireTime(at))

export const json = (value: JsonValue | object): Cell => ({
  text: JSON.stringify(value, null, 2),
  code: true,
})

/** Tones of all statuses (specification: States; deliveries and mails are our decision). */
const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  approved: 'good',
  passed: 'good',
  authorized: 'reserved',
  delivered: 'good',
  sent: 'good',
  pending: 'waiting',
  running: 'waiting',
  '3ds pending': 'waiting',
  'capture pending': 'reserved',
  kept: 'waiting',
  retry: 'waiting',
  declined: 'bad',
  failed: 'bad',
  'failed permanently': 'bad',
  unpaid: 'bad',
  refused: 'bad',
  Refunded: 'off',
  cancelled: 'off',
}

/** Turns `delivery` into `deliveries`. */
export const formatPlural = (one: string): string => `${one.replace(/y$/, 'ie')}s`

/** Counts things in words: `1 fault`, `2 faults`. */
export const formatCount = (count: number, one: string): string =>
  `${count} ${count === 1 ? one : formatPlural(one)}`

/** Shortens an error's description, without its advice: `Hash is wrong (107)`. */
export const formatDescription = (description: string, code: number): string =>
  `${description.replace(/;.*| \([a-z_]+\)/g, '')} (${code})`

/** Renders a cell: a link, a moment, a status, code or a plain text, with its note below. */
export function renderCell(value: CellValue): SafeHtml {
  const of = toCell(value)
  const content = renderCellContent(of)
  if (!of.note) return content
  const note = html`<span class="note">${of.note}</span>`
  return of.folds
    ? html`<details><summary>${content}</summary>${note}</details>`
    : html`${content}${note}`
}

function renderCellContent({ text, content, to, copy, moment, tone, code, long }: Cell): SafeHtml {
  if (content) return content
  if (to)
    return copy ? html`<a href="${to}" data-copy>${text}</a>` : html`<a href="${to}">${text}</a>`
  if (moment !== undefined) {
    const [day, hour] = text.split(', ')
    // A list on a phone shows the day alone.
    return html`<time datetime="${moment}">${day}${hour && html`<span class="hour">, ${hour}</span>`}</time>`
  }
  if (copy) return html`<span data-copy>${withBreaks(text)}</span>`
  if (tone !== undefined)
    return html`<span class="is ${tone}${/ /.test(text) ? null : ' word'}">${text}</span>`
  if (long) return html`${withBreaks(text)}`
  return code ? renderCodeBlock(text) : html`${text}`
}

/** Renders the few ways to show a page, each a link. @param current address of the shown one */
export const renderChoice = (
  label: string,
  choices: readonly (readonly [text: string | SafeHtml, to: string])[],
  current: string,
): SafeHtml =>
  html`<nav class="choice" aria-label="${label}">${choices.map(
    ([text, to]) =>
      html`<a href="${to}"${to === current ? html` aria-current="true"` : null}>${text}</a>`,
  )}</nav>`

/** Fields with their values. A name occurs twice only in pairs. */
export type Facts = Readonly<Record<string, CellValue>> | readonly Fact[]

export type Fact = readonly [name: string, value: CellValue]

/** Renders the fields that have a value; a summary has the few that identify an object, in a row. */
export const renderFacts = (facts: Facts, style: 'facts' | 'summary' = 'facts'): SafeHtml =>
  html`<dl class="${style}">${listFacts(facts).map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${renderCell(value)}</dd></div>`,
  )}</dl>`

export const renderFoldedFacts = (title: string, facts: Facts): SafeHtml | null =>
  listFacts(facts).length === 0
    ? null
    : html`<details><summary>${title}</summary>${renderFacts(facts)}</details>`

const listFacts = (facts: Facts): readonly Fact[] =>
  (Array.isArray(facts) ? (facts as readonly Fact[]) : Object.entries(facts)).filter(
    ([, value]) => toCell(value).text !== '',
  )

/** Maximum characters of a client's or shop's text on a page. */
const SHOWN = 64 * 1024

/** Shortens a text. @param most maximum number of characters */
export const shorten = (text: string, most = SHOWN): string =>
  text.length <= most ? text : `${text.slice(0, most)}\n… and ${text.length - most} more characters`
