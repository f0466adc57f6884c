import { html, renderHiddenFields, type SafeHtml } from '../pages/html.ts'
import type { ShownChallenge } from './challenge.ts'
import { renderOrderFacts, renderPresenceScript } from './challenge-page.ts'
import type { BankView } from './page.ts'
import type { MpiMessage } from './visit.ts'

/** Renders the page of a slow bank, which reloads itself. */
export const renderWaiting =
  (challenge: ShownChallenge): BankView =>
  (context) => {
    const { locale, text } = context
    return {
      title: text.waiting,
      main: html`<main>
<h1>${text.waiting}</h1>
${renderOrderFacts({ ...context, ...challenge })}
<p class="quiet" role="status">${text.waiting_hint}</p>
<p><a class="button" href="?lang=${locale}">${text.reload}</a></p>
<form method="post" action="?lang=${locale}" class="leave">
<button type="submit" name="action" value="cancel"
  data-testid="bank-cancel" class="plain">${text.cancel}</button>
</form>
<p class="quiet">${text.simulated_hint}</p>
</main>`,
      scripts: renderPresenceScript(context),
    }
  }

/** Shows the app in which the payer answers. */
export const renderApp =
  (challenge: ShownChallenge, isOpen: boolean): BankView =>
  (context) => {
    const { locale, text } = context
    const { answers, endings, said, href } = challenge
    return {
      title: text.app,
      main: html`<main>
<h1>${isOpen ? text.app : text.app_done}</h1>
${renderOrderFacts({ ...context, ...challenge })}
${
  isOpen
    ? html`<form method="post" action="${href}?lang=${locale}">${renderHiddenFields({ action: 'app' })}
${answers.map((each) => answerButton(each, each.gives === 'N' ? 'small' : 'button'))}
${endings.map((each) => answerButton(each, 'small'))}
</form>`
    : html`<p role="status">
${said === null ? null : `${text.app_said} ${said}.`} ${text.app_done_hint}</p>`
}
<p class="quiet">${text.simulated_hint}</p>
</main>`,
    }
  }

const answerButton = (
  { name, label }: Readonly<Record<'name' | 'label', string>>,
  style: 'small' | 'button',
): SafeHtml => html`<button name="answer" value="${name}"
  data-testid="bank-answer-${name}" class="${style}">${label}</button>
`

/** Shows the page that posts the bank's answer to the gateway. */
export const answerView =
  (returnUrl: string, cres: string): BankView =>
  ({ text, nonce }) => ({
    title: text.answered,
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

/**
 * Sends the result to the page that opened this window or contains its frame, and closes the
 * window. The target origin hides the message from other pages. The script is in the head, so that
 * a card that passes immediately shows no bank.
 * @param origin the origin of that page, if it is known
 */
export const renderResult =
  (message: MpiMessage, origin: string | null | undefined): BankView =>
  ({ text, nonce }) => {
    const { success, error } = message
    return {
      title: success ? text.verified : text.not_verified,
      isAnswer: true,
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
    ? html`<h1 class="is good">${text.verified}</h1>`
    : html`<h1${error && html` data-error="${error}"`}>${text.not_verified}</h1>`
}
<p class="quiet">${text.close_hint}</p>
<button type="button" id="close" data-testid="mpi-close" class="button">${text.close}</button>
</main>`,
    }
  }
