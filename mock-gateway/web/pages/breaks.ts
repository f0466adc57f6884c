import { html, type SafeHtml } from './html.ts'

/** Renders an address that a narrow page breaks at its slashes first. */
export const withBreaks = (text: string): SafeHtml | string =>
  text.includes('://')
    ? html`${text.split(/(?<=[^:/]\/|[?&])/).map((part, at) => html`${at > 0 ? html`<wbr>` : null}${part}`)}`
    : text
