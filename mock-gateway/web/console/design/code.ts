import { html, type SafeHtml } from '../../pages/html.ts'

/** Renders a block of code, with room for its copy button in the corner. */
export const codeBlock = (text: string): SafeHtml =>
  html`<div class="code"><pre tabindex="0">${text}</pre></div>`
