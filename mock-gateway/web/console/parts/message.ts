import { html, type SafeHtml } from '../../pages/html.ts'
import { codeBlock } from './cell.ts'

/** One side of an exchange: a request, or its answer. */
interface Message {
  readonly title: SafeHtml | string
  /** For example its format and duration. */
  readonly note?: string
  readonly text: string
  /** Part of the text to mark, such as the shop's error. */
  readonly marked?: string | null
  readonly children?: SafeHtml | null
}

/** Renders a message: a title line, then its text with a button to copy it. */
export const message = ({ title, note = '', text, marked, children }: Message): SafeHtml =>
  html`<section class="msg"><header><strong>${title}</strong> <span class="quiet">${note}</span></header>
${children}${text === '' ? (children ? null : html`<p class="quiet">Empty.</p>`) : marked ? markedCode(text, marked) : codeBlock(text)}</section>`

/** Renders two messages next to each other. */
export const sideBySide = (...messages: readonly SafeHtml[]): SafeHtml =>
  html`<div class="sides">${messages}</div>`

function markedCode(text: string, marked: string): SafeHtml {
  const at = text.indexOf(marked)
  return at < 0
    ? codeBlock(text)
    : html`<div class="code"><pre tabindex="0">${text.slice(0, at)}<mark>${marked}</mark>${text.slice(at + marked.length)}</pre></div>`
}
