import { html, type SafeHtml } from './html.ts'

export const renderCodeBlock = (text: string): SafeHtml =>
  html`<div class="code"><pre tabindex="0">${markKeys(text)}</pre></div>`

/** Marks the keys of indented JSON. */
const markKeys = (text: string): readonly (SafeHtml | string)[] =>
  text
    .split(/^( +"[^"\n]+":)/m)
    .map((part, index) => (index % 2 === 1 ? html`<b>${part}</b>` : part))

/** One side of an exchange: a request, or its answer. */
interface Message {
  readonly title: SafeHtml | string
  /** For example its format and duration. */
  readonly note?: SafeHtml | string | null | undefined
  readonly text: string
  /** Part of the text to mark, such as the shop's error. */
  readonly marked?: string | null
  readonly children?: SafeHtml | null
}

/** Renders a message: a title line, then its text with a button to copy it. */
export const renderMessage = ({ title, note, text, marked, children }: Message): SafeHtml =>
  html`<section class="msg"><header><strong>${title}</strong>${note && html` <span class="quiet">${note}</span>`}</header>
${children}${text === '' ? (children ? null : html`<p class="quiet">Empty.</p>`) : marked ? renderMarkedCode(text, marked) : renderCodeBlock(text)}</section>`

export const renderSideBySide = (
  ...messages: readonly (SafeHtml | string | undefined)[]
): SafeHtml => html`<div class="sides">${messages}</div>`

function renderMarkedCode(text: string, marked: string): SafeHtml {
  const at = text.indexOf(marked)
  return at < 0
    ? renderCodeBlock(text)
    : html`<div class="code"><pre tabindex="0">${markKeys(text.slice(0, at))}<mark>${marked}</mark>${markKeys(text.slice(at + marked.length))}</pre></div>`
}
