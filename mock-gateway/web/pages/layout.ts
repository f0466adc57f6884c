import type { Locale } from '../../domain/language/languages.ts'
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
export const layout = ({
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
