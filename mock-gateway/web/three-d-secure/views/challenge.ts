import { hiddenFields, html, type SafeHtml } from '../../pages/html.ts'
import type { ShownChallenge } from '../asked.ts'
import { orderFacts } from './facts.ts'
import { presenceScript } from './presence.ts'
import { QUESTION_FORMS } from './question-forms.ts'
import { type BankContext, type BankView, sheet } from './sheet.ts'

/** Addresses and messages of a challenge's page. */
interface ChallengeLinks {
  /** Address of the app. */
  readonly app: string
  /** Tells the library that the payer is challenged; '' if there is no library. */
  readonly message: string
  /** Origin of the page that opened this one, if it is known. */
  readonly origin: string | null
}

/** Shows the bank's question. */
export const challengeView =
  (challenge: ShownChallenge, links: ChallengeLinks): BankView =>
  (context) => {
    const { text } = context
    const { by, question, words, wrong_codes } = challenge
    return sheet(context, {
      title: wrong_codes > 0 ? `${text.error_prefix} ${words.wrong} – ${words.title}` : words.title,
      hasAddress: true,
      main: html`<main data-question="${question}">
<h1>${words.title}</h1>
${orderFacts(context, challenge)}
${codeNote(context, challenge)}
${QUESTION_FORMS[by](context, challenge, links.app)}
${challenge.helper ? caseChooser(context, challenge) : null}
<p class="quiet small">${text.simulated_hint}</p>
</main>`,
      scripts: html`${presenceScript(context)}${windowScript(context, links)}`,
    })
  }

/** Renders the message that the code was wrong, or that a new code was sent. */
function codeNote(
  { text }: BankContext,
  { words, wrong_codes, tries_left, new_codes, helper }: ShownChallenge,
): SafeHtml | null {
  if (wrong_codes > 0)
    return html`<p class="error" role="alert" id="code_problem">
${words.wrong} ${text.tries_left} ${tries_left}.</p>`
  return new_codes > 0
    ? html`<p class="note" role="status">${text.new_code_sent} ${helper ? text.code_is : null}</p>`
    : null
}

/** Lets a tester choose the result. */
const caseChooser = (
  { locale, text }: BankContext,
  { cases }: ShownChallenge,
): SafeHtml => html`<details data-testid="bank-choose"><summary>${text.choose}</summary>
<form method="post" action="?lang=${locale}">${hiddenFields({ action: 'case' })}
<ul>
${cases.map(({ number, label, seconds }) => {
  const delay = seconds > 0 ? ` (${text.after_seconds} ${seconds})` : null
  return html`<li><button name="case" value="${number}"
  data-testid="bank-case-${number}" class="plain">${number}. ${label}${delay}</button></li>
`
})}</ul>
</form>
</details>`

/**
 * Notifies the library that the bank is shown: until then the library's frame is hidden, and its
 * window is small. The name of the window contains its maximum size. The enlarged window is
 * scrolled to its top, since the focused field has scrolled the small one.
 */
const windowScript = (
  { nonce }: BankContext,
  { message, origin }: ChallengeLinks,
): SafeHtml => html`<script nonce="${nonce}"
  data-message="${message}" data-origin="${origin ?? '*'}">
const { message, origin } = document.currentScript.dataset
if (message) (opener ?? parent).postMessage(message, origin)
const [, width, height] = (opener && /-([0-9]+)x([0-9]+)$/.exec(window.name)) || []
const [wider, higher] = [Math.max(0, width - innerWidth), Math.max(0, height - innerHeight)]
if (wider || higher) {
  addEventListener('resize', () => scrollTo(0, 0), { once: true })
  // resizeBy would add to a size of 0 in a new window whose size Chromium does not know yet.
  const [sides, bars] = [outerWidth - innerWidth, outerHeight - innerHeight].map((size) => Math.max(0, size))
  moveBy(-wider / 2, -higher / 2)
  resizeTo(innerWidth + wider + sides, innerHeight + higher + bars)
}
</script>`
