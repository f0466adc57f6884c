import { html, type SafeHtml } from './html.ts'

/** Renders an address that a narrow page breaks at its slashes first, or a name at its underscores. */
export const withBreaks = (text: string): SafeHtml => {
  const parts = text.split(text.includes('://') ? /(?<=[^:/]\/|[?&])/ : /(?<=_)/)
  return html`${parts.map((part, at) => html`${at > 0 ? html`<wbr>` : null}${part}`)}`
}

/** Renders a text in which names between backticks are code. */
export const withCode = (text: string): SafeHtml =>
  html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`
