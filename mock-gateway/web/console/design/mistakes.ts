import { html, type SafeHtml } from '../../pages/html.ts'

/** Says what is wrong with a hash. @param mistakes null: nothing was looked for */
export function mistakeList(mistakes: readonly string[] | null): SafeHtml | null {
  if (mistakes === null) return null
  return mistakes.length > 0
    ? html`<p>What is wrong with the hash:</p>
<ul class="mistakes">${mistakes.map((mistake) => html`<li>${mistake}</li>`)}</ul>`
    : html`<p class="quiet">It is none of the usual mistakes, nor two of them at once. The signed text is right, so the secret is probably wrong.</p>`
}
