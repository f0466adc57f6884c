import { html, type SafeHtml } from '../../pages/html.ts'

/** Renders a text in which the addresses of the console's pages are links, without their query. */
export const withLinks = (text: string, { href, origin }: URL): SafeHtml =>
  html`${text
    .split(/(https?:\/\/\S*[^\s.,])/)
    .map((part) =>
      part.startsWith(`${href}/`)
        ? html`<a href="${part.slice(origin.length)}">${part.slice(origin.length).replace(/\?.*/s, '')}</a>`
        : part,
    )}`
