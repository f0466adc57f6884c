import { LANGUAGES, type Locale } from '../../domain/language/languages.ts'
import { html, type SafeHtml } from './html.ts'

/** A complete document. */
export interface Layout {
  readonly locale: Locale
  readonly title: string
  /** Address of its style sheet. */
  readonly style: string
  /** Additional elements of its head. */
  readonly head?: SafeHtml
  readonly body: SafeHtml
}

/** Renders a document around a page. */
export const renderLayout = ({
  locale,
  title,
  style,
  head,
  body,
}: Layout): SafeHtml => html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${style}">
${head}</head>
<body>
${body}
</body>
</html>
`

/**
 * Renders the links to a page in its other languages. They work without scripts.
 * @param page address of the page; '' is the current one
 * @param query additional parameters, such as `&template=none`
 */
export const renderLanguageLinks = (locale: Locale, page = '', query = ''): SafeHtml =>
  html`${Object.entries(LANGUAGES).map(([code, { name }]) =>
    code === locale
      ? null
      : html`<a href="${page}?lang=${code}${query}" lang="${code}" hreflang="${code}">${name}</a>`,
  )}`
