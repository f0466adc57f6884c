import { html } from '../../pages/html.ts'
import { type BankView, sheet } from './sheet.ts'

/** Shows the page that posts the bank's answer to the gateway. */
export const answerView =
  (returnUrl: string, cres: string): BankView =>
  (context) => {
    const { text, nonce } = context
    return sheet(context, {
      title: text.answered,
      hasAddress: true,
      main: html`<main>
<h1>${text.answered}</h1>
<p class="quiet">${text.answered_hint}</p>
<form method="post" action="${returnUrl}" id="answer">
<input type="hidden" name="cres" value="${cres}">
<button type="submit" data-testid="bank-continue" class="button">${text.go_on}</button>
</form>
</main>`,
      scripts: html`<script nonce="${nonce}">document.getElementById('answer').submit()</script>`,
    })
  }
