import { html, type SafeHtml } from '../../pages/html.ts'

/** Renders a block of code, to which a script adds a copy button. */
export const codeBlock = (text: string): SafeHtml =>
  html`<div class="code"><pre tabindex="0">${text}</pre></div>`
