import { html } from '../../pages/html.ts'
import type { MpiMessage } from '../message.ts'
import { type BankView, sheet } from './sheet.ts'

/**
 * Sends the result to the page that opened this window or contains its frame, and closes the
 * window. The target origin hides the message from other pages. The script is in the head, so that
 * a card that passes immediately shows no bank.
 * @param origin the origin of that page, if it is known
 */
export const resultView =
  (message: MpiMessage, origin: string | null | undefined): BankView =>
  (context) => {
    const { text, nonce } = context
    const { success, error } = message
    return sheet(context, {
      title: success ? text.verified : text.not_verified,
      hasAddress: false,
      head: html`<script nonce="${nonce}"
  data-message="${JSON.stringify(message)}" data-origin="${origin ?? '*'}">
const { message, origin } = document.currentScript.dataset
const target = opener ?? (parent === window ? null : parent)
addEventListener('click', (event) => event.target.id === 'close' && window.close())
target?.postMessage(message, origin)
if (opener) {
  document.title = ''
  window.close()
  window.stop()
}
</script>
`,
      main: html`<main>
${
  success
    ? html`<h1 class="done">${text.verified}</h1>`
    : html`<h1${error && html` data-error="${error}"`}>${text.not_verified}</h1>`
}
<p class="quiet">${text.close_hint}</p>
<button type="button" id="close" data-testid="mpi-close" class="button">${text.close}</button>
</main>`,
    })
  }
