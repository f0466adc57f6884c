/** Pages of a shop: one frame, two languages. */
import { readFile } from 'node:fs/promises'
import { CART, CURRENCY, total } from './cart.ts'
import { type Language, TEXTS } from './texts.ts'

/** Values by name. */
export type Values = Readonly<Record<string, string>>

const CARD_FIELDS = new URL('card-fields.html', import.meta.url)
const FRAME = new URL('frame.html', import.meta.url)

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')

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
  return template.replace(/\{\{\{(\w+)\}\}\}|\{\{(\w+)\}\}/g, (_whole, raw?: string, text?: string) =>
    raw === undefined ? escapeHtml(value(texts, text ?? '')) : value(html, raw),
  )
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
    return `<tr><th scope="row">${escapeHtml(name[language])}${times}</th><td>${money(price * quantity)}</td></tr>`
  }).join('\n')
}

/**
 * A whole page: the frame, the cart, and next to it the template called `main`.
 * @param templates in the order in which they are filled: each may use those before it, and `{{{cardFields}}}`
 * @param own texts and values besides those of every shop; `title` is needed
 */
export async function renderPage(
  language: Language,
  templates: { readonly main: URL } & Readonly<Record<string, URL>>,
  own: Values,
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
  const html: Record<string, string> = { cart: cartRows(language) }
  for (const [name, url] of Object.entries({ cardFields: CARD_FIELDS, ...templates, frame: FRAME }))
    html[name] = fill(await readFile(url, 'utf8'), texts, html)
  return (html.frame ?? '').replace('<html lang="en">', `<html lang="${language}">`)
}
