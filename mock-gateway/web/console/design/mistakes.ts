import { html, type SafeHtml } from '../../pages/html.ts'

/** Renders the mistakes of a hash. @param mistakes null: not checked */
export function mistakeList(mistakes: readonly string[] | null): SafeHtml | null {
  if (mistakes === null) return null
  return mistakes.length > 0
    ? html`<p>Mistakes in the hash:</p>
<ul class="mistakes">${mistakes.map((mistake) => html`<li>${mistake}</li>`)}</ul>`
    : html`<p class="quiet">No common mistake, or pair of mistakes, explains this hash.
Probably the secret is wrong.</p>`
}
