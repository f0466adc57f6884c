import { html, type SafeHtml } from '../../pages/html.ts'
import { qrPicture } from '../../pages/qr.ts'
import type { ShownChallenge } from '../asked.ts'
import type { BankContext } from './sheet.ts'

/** Form of each kind of answer. @param app address of the app */
export const QUESTION_FORMS: Readonly<
  Record<
    ShownChallenge['by'],
    (context: BankContext, challenge: ShownChallenge, app: string) => SafeHtml
  >
> = { typing: typingForm, choosing: choosingForm, app: appWait }

/** Renders the form for a code. */
function typingForm(context: BankContext, challenge: ShownChallenge): SafeHtml {
  const { locale, text } = context
  const { helper, says, wrong_codes } = challenge
  const isWrong = wrong_codes > 0
  const invalid = isWrong ? html` aria-invalid="true"` : null
  return html`<form method="post" action="?lang=${locale}">
<label for="code">${text.code}</label>
<p class="hint" id="code_hint">${helper ? text.code_hint : says}</p>
<input id="code" name="code" data-testid="bank-code" autocomplete="one-time-code"
  inputmode="numeric" enterkeyhint="done" maxlength="12" required autofocus
  aria-describedby="${isWrong ? 'code_hint code_problem' : 'code_hint'}"${invalid}>
<button type="submit" name="action" value="code"
  data-testid="bank-confirm" class="button">${text.confirm}</button>
${otherActions(context, challenge)}
</form>
<details data-testid="bank-help"><summary>${text.help}</summary>
<p class="quiet">${text.help_text} ${helper ? text.help_code : null}</p></details>`
}

/** Renders the form with one or several answers to choose. */
function choosingForm(context: BankContext, challenge: ShownChallenge): SafeHtml {
  const { locale, text } = context
  const { helper, says, right, answers, several, wrong_codes } = challenge
  const describing = [helper ? 'answer_hint' : '', wrong_codes > 0 ? 'code_problem' : '']
  const description = describing.join(' ').trim()
  return html`<form method="post" action="?lang=${locale}">
<fieldset${description && html` aria-describedby="${description}"`}>
<legend>${says}</legend>
${helper ? html`<p class="hint" id="answer_hint">${text.right_is} ${right}.</p>` : null}
${answers.map(
  ({ name, label }) =>
    html`<p class="option"><input id="answer_${name}" data-testid="bank-answer-${name}" ${
      several
        ? html`type="checkbox" name="answer[${name}]" value="true"`
        : html`type="radio" name="answer" value="${name}" required`
    }><label for="answer_${name}">${label}</label></p>
`,
)}</fieldset>
<button type="submit" name="action" value="answer"
  data-testid="bank-confirm" class="button">${text.confirm}</button>
${otherActions(context, challenge)}
</form>`
}

/**
 * Renders the page of a payer who answers in an app. The page continues automatically, and a failed
 * request has no effect.
 */
function appWait(context: BankContext, challenge: ShownChallenge, app: string): SafeHtml {
  const { locale, text, nonce } = context
  const { helper, scanned, says, step } = challenge
  return html`<div class="app" role="status">
${scanned && step === 'waiting' ? qrPicture(`${app}?lang=${locale}`, text.app_code, 156) : null}
<div><p>${says}</p></div>
</div>
${
  helper
    ? html`<p><a class="button" href="${app}?lang=${locale}" target="_blank" rel="noopener"
  data-testid="bank-app">${text.open_app}</a></p>`
    : null
}
<p><a class="answer" href="?lang=${locale}" data-testid="bank-go-on">${text.has_answered}</a></p>
<form method="post" action="?lang=${locale}">
${otherActions(context, challenge)}
</form>
<script nonce="${nonce}" data-step="${step}">
const { step } = document.currentScript.dataset
const look = async (pause) => {
  await new Promise((resolve) => setTimeout(resolve, pause))
  const headers = { Accept: 'application/json' }
  const seen = await fetch(location.href, { headers, cache: 'no-store' })
    .then((answer) => answer.json())
    .catch(() => undefined)
  if (seen && (seen.state !== 'open' || seen.step !== step)) return location.replace(location.href)
  look(Math.min(5000, pause + 500))
}
look(500)
</script>`
}

/** Buttons for a new code, for leaving, and for more time. */
function otherActions(
  { text }: BankContext,
  { by, new_codes_left, minutes_left, more_time_left }: ShownChallenge,
): SafeHtml {
  const button = (action: string, id: string, label: string, look = 'plain') =>
    html`<button type="submit" name="action" value="${action}"
  data-testid="${id}" class="${look}" formnovalidate>${label}</button>`
  return html`<p class="ways">
${by === 'typing' && new_codes_left > 0 ? button('new_code', 'bank-new-code', text.new_code) : null}
${button('cancel', 'bank-cancel', text.cancel, 'plain danger')}
</p>
<p class="ways quiet">
<span>${text.time_left} ${minutes_left}</span>
${more_time_left > 0 ? button('more_time', 'bank-more-time', text.more_time) : null}
</p>`
}
