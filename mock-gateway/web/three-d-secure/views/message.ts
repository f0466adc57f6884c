import { descriptionIn } from '../../../domain/errors/descriptions.ts'
import type { CatalogueEntry } from '../../../domain/errors/errors.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { type BankView, sheet } from './sheet.ts'

/** Shows an error. @param continueUrl the payer's next address, if there is one */
export const messageView =
  (error: CatalogueEntry, continueUrl: string | undefined): BankView =>
  (context) => {
    const { locale, text, nonce } = context
    return sheet(context, {
      title: `${text.error_prefix} ${text.sorry}`,
      hasAddress: false,
      main: html`<main>
<h1>${text.sorry}</h1>
<p class="error" role="alert" data-error="${error.name}">${descriptionIn(error, locale)}</p>
${
  continueUrl
    ? html`<p>
<a class="button" href="${continueUrl}" data-testid="bank-continue">${text.go_on}</a></p>`
    : html`<p class="quiet">${text.sorry_hint}</p>
<p><button type="button" class="button" id="previous" hidden>${text.previous}</button></p>`
}
</main>`,
      scripts: continueUrl ? null : previousScript(nonce),
    })
  }

/** Shows the button that leads to the previous page. A new tab has none. */
const previousScript = (nonce: string): SafeHtml => html`<script nonce="${nonce}">
const button = document.getElementById('previous')
button.hidden = history.length < 2
button.addEventListener('click', () => history.back())
</script>`
