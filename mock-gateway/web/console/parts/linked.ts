import { html, type SafeHtml } from '../../pages/html.ts'

/** Renders a text in which the addresses of the console's pages are links, without their query. */
export const withLinks = (text: string, { href, origin }: URL): SafeHtml =>
  html`${text.split(/(https?:\/\/\S*[^\s.,])/).map((part) => {
    if (!part.startsWith(`${href}/`)) return part
    const path = part.slice(origin.length)
    return html`<a href="${path}">${path.replace(/\?.*/s, '')}</a>`
  })}`
