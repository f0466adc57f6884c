import { html, type SafeHtml } from '../../pages/html.ts'

/** Renders the mistakes of a hash; null if there are none. */
export const mistakeList = (mistakes: readonly string[]): SafeHtml | null =>
  mistakes.length > 0
    ? html`<p>Mistakes in the hash:</p>
<ul class="mistakes">${mistakes.map((mistake) => html`<li>${mistake}</li>`)}</ul>`
    : null
