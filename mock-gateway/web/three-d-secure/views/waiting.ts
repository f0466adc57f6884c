import { html } from '../../pages/html.ts'
import type { ShownChallenge } from '../asked.ts'
import { orderFacts } from './facts.ts'
import { presenceScript } from './presence.ts'
import { type BankView, sheet } from './sheet.ts'

/** Renders the page of a slow bank, which reloads itself. */
export const waitingView =
  (challenge: ShownChallenge): BankView =>
  (context) => {
    const { locale, text } = context
    return sheet(context, {
      title: text.waiting,
      hasAddress: true,
      main: html`<main>
<h1>${text.waiting}</h1>
${orderFacts(context, challenge)}
<p class="quiet" role="status">${text.waiting_hint}</p>
<p><a class="button" href="?lang=${locale}">${text.reload}</a></p>
<form method="post" action="?lang=${locale}" class="leave">
<button type="submit" name="action" value="cancel"
  data-testid="bank-cancel" class="plain">${text.cancel}</button>
</form>
<p class="quiet small">${text.simulated_hint}</p>
</main>`,
      scripts: presenceScript(context),
    })
  }
