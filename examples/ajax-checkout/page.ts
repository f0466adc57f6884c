/** The checkout page: one template, two languages. */
import { readFile } from 'node:fs/promises'
import { CART, CURRENCY, total } from './cart.ts'
import { type Language, TEXTS } from './texts.ts'

/** Values for the page that are not texts. */
export interface PageValues {
  readonly merchantId: number
  /** Origin of the browser library. */
  readonly cdn: string
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')

function cartRows(language: Language, money: (hundredths: number) => string): string {
  return CART.map(({ name, quantity, price }) => {
    const times = quantity > 1 ? ` <span>&times;&nbsp;${quantity}</span>` : ''
    return `<tr><th scope="row">${escapeHtml(name[language])}${times}</th><td>${money(price * quantity)}</td></tr>`
  }).join('\n')
}

/** The page as HTML. */
export async function renderPage(language: Language, { merchantId, cdn }: PageValues): Promise<string> {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency: CURRENCY })
  const money = (hundredths: number) => format.format(hundredths / 100)
  const other: Language = language === 'sv' ? 'en' : 'sv'
  const values: Readonly<Record<string, string>> = {
    ...TEXTS[language],
    language,
    otherLanguage: other,
    otherLanguageName: TEXTS[other].languageName,
    merchantId: String(merchantId),
    cdn,
    total: money(total()),
  }
  const template = await readFile(new URL('page.html', import.meta.url), 'utf8')
  return template
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replace('{{{cart}}}', cartRows(language, money))
    .replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => escapeHtml(values[name] ?? ''))
}
