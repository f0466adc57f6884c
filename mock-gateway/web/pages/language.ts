import { LANGUAGES, type Locale } from '../../domain/language/languages.ts'
import { html, type SafeHtml } from './html.ts'

/**
 * Renders the links to a page in its other languages. They work without scripts.
 * @param page address of the page; '' is the current one
 * @param query additional parameters, such as `&template=none`
 */
export const languageLinks = (locale: Locale, page = '', query = ''): SafeHtml =>
  html`${Object.entries(LANGUAGES).map(([code, { name }]) =>
    code === locale
      ? null
      : html`<a href="${page}?lang=${code}${query}" lang="${code}" hreflang="${code}">${name}</a>`,
  )}`
