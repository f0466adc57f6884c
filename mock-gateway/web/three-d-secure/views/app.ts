import { hiddenFields, html, type SafeHtml } from '../../pages/html.ts'
import type { ShownAnswer, ShownChallenge } from '../asked.ts'
import { orderFacts } from './facts.ts'
import { type BankView, sheet } from './sheet.ts'

/**
 * Shows the app in which the payer answers.
 * @param at address of the authentication
 */
export const appView =
  (challenge: ShownChallenge, isOpen: boolean, at: string): BankView =>
  (context) => {
    const { locale, text } = context
    const { answers, endings, said } = challenge
    return sheet(context, {
      title: text.app,
      hasAddress: true,
      main: html`<main>
<h1>${isOpen ? text.app : text.app_done}</h1>
${orderFacts(context, challenge)}
${
  isOpen
    ? html`<form method="post" action="${at}?lang=${locale}">${hiddenFields({ action: 'app' })}
${answers.map((each) => answerButton(each, each.gives === 'N' ? 'answer' : 'button'))}
${endings.map((each) => answerButton(each, 'answer'))}
</form>`
    : html`<p role="status">
${said === null ? null : `${text.app_said} ${said}.`} ${text.app_done_hint}</p>`
}
<p class="quiet small">${text.simulated_hint}</p>
</main>`,
    })
  }

const answerButton = (
  { name, label }: ShownAnswer,
  style: 'answer' | 'button',
): SafeHtml => html`<button name="answer" value="${name}"
  data-testid="bank-answer-${name}" class="${style}">${label}</button>
`
