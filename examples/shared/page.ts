/** Pages of a shop: one frame, two languages. */
import { readFile } from 'node:fs/promises'
import type { Request } from 'express'
import { CART, CURRENCY, total } from './cart.ts'
import { type Language, TEXTS } from './texts.ts'

/** Values by name. */
export type Values = Readonly<Record<string, string>>

const CARD_FIELDS = new URL('card-fields.html', import.meta.url)
const FRAME = new URL('frame.html', import.meta.url)
const NOT_PAID = new URL('not-paid.html', import.meta.url)
const PROBLEM = new URL('problem.html', import.meta.url)
const RECEIPT = new URL('receipt.html', import.meta.url)

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')

/**
 * Fills `{{text}}`, which is escaped, and `{{{html}}}`, which is not, into a template.
 * @throws Error for a name that has no value
 */
export function fill(template: string, texts: Values, html: Values = {}): string {
  const value = (values: Values, name: string): string => {
    const found = values[name]
    if (found === undefined) throw new Error(`The page has no value for ${name}`)
    return found
  }
  return template.replace(
    /\{\{\{(\w+)\}\}\}|\{\{(\w+)\}\}/g,
    (_whole, raw?: string, text?: string) =>
      raw === undefined ? escapeHtml(value(texts, text ?? '')) : value(html, raw),
  )
}

/** The language that a page is asked for in: by its link, or else by the browser. */
export const getLanguage = (request: Request): Language => {
  const asked = request.query.lang ?? request.acceptsLanguages('en', 'sv')
  return asked === 'sv' ? 'sv' : 'en'
}

/** Text of an amount in hundredths, in the cart's currency. */
const moneyIn = (language: Language) => {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency: CURRENCY })
  return (hundredths: number) => format.format(hundredths / 100)
}

function cartRows(language: Language): string {
  const money = moneyIn(language)
  return CART.map(({ name, quantity, price }) => {
    const times = quantity > 1 ? ` <span>&times;&nbsp;${quantity}</span>` : ''
    return `<tr><th scope="row">${escapeHtml(name[language])}${times}</th>
<td>${money(price * quantity)}</td></tr>`
  }).join('\n')
}

/**
 * Renders a whole page: the frame, the cart, and next to it the template called `main`.
 * @param templates filled in this order: each can use the templates before it, and
 * `{{{cardFields}}}`
 * @param own texts and values of this shop; without a `title` it is the shop's
 * @param pieces HTML made by the shop, for `{{{name}}}`
 */
export async function renderPage(
  language: Language,
  templates: { readonly main: URL } & Readonly<Record<string, URL>>,
  own: Values = {},
  pieces: Values = {},
): Promise<string> {
  const otherLanguage: Language = language === 'sv' ? 'en' : 'sv'
  const texts: Values = {
    ...TEXTS[language],
    language,
    otherLanguage,
    otherLanguageName: TEXTS[otherLanguage].languageName,
    total: moneyIn(language)(total()),
    ...own,
  }
  const html: Record<string, string> = { ...pieces, cart: cartRows(language) }
  for (const [name, url] of Object.entries({ cardFields: CARD_FIELDS, ...templates, frame: FRAME }))
    html[name] = fill(await readFile(url, 'utf8'), texts, html)
  return (html.frame ?? '').replace('<html lang="en">', `<html lang="${language}">`)
}

/** Renders the receipt of a paid order. */
export const receiptPage = (language: Language, payment_ref: string): Promise<string> =>
  renderPage(language, { main: RECEIPT }, { title: TEXTS[language].paid, payment_ref })

/**
 * Renders the page of an order that was not paid.
 * @param message the reason, in the words of the service; empty if unknown
 */
export const notPaidPage = (language: Language, message: string): Promise<string> =>
  renderPage(language, { main: NOT_PAID }, { title: TEXTS[language].notPaidTitle, message })

/**
 * Renders the page for a payment service that does not answer.
 * @param back address to try again
 */
export const problemPage = (language: Language, back: string, reason: string): Promise<string> =>
  renderPage(language, { main: PROBLEM }, { title: TEXTS[language].problem, back, reason })
