import { renderCardLabel } from '../pages/card-label.ts'
import { html, renderFacts, renderHiddenFields, type SafeHtml } from '../pages/html.ts'
import { renderQrPicture } from '../pages/qr.ts'
import type { ShownChallenge } from './challenge.ts'
import type { BankContext, BankView } from './page.ts'

/** A challenge with the context of its page. */
type ChallengeContext = BankContext & ShownChallenge

export const renderChallenge =
  (challenge: ShownChallenge): BankView =>
  (context) => {
    const shown = { ...context, ...challenge }
    const { text, by, question, words, wrong_codes, helper } = shown
    return {
      title: wrong_codes > 0 ? `${text.error_prefix} ${words.wrong} – ${words.title}` : words.title,
      main: html`<main data-question="${question}">
<h1>${words.title}</h1>
${renderOrderFacts(shown)}
${helper ? renderCaseChooser(shown) : null}
${renderCodeNote(shown)}
${QUESTION_FORMS[by](shown)}
<p class="quiet">${text.simulated_hint}</p>
</main>`,
      scripts: html`${renderPresenceScript(context)}${renderWindowScript(shown)}`,
    }
  }

/** Renders the message that the code was wrong, or that a new code was sent. */
function renderCodeNote(shown: ChallengeContext): SafeHtml | null {
  const { text, words, wrong_codes, tries_left, new_codes, helper } = shown
  if (wrong_codes > 0)
    return html`<p class="callout bad" role="alert" id="code_problem">
${words.wrong} ${text.tries_left} ${tries_left}.</p>`
  return new_codes > 0
    ? html`<p class="callout waiting" role="status">${text.new_code_sent} ${helper ? text.code_is : null}</p>`
    : null
}

/** Lets a tester choose the result. */
const renderCaseChooser = ({
  locale,
  text,
  cases,
}: ChallengeContext): SafeHtml => html`<details class="test" data-testid="bank-choose"><summary>${text.choose}</summary>
<form method="post" action="?lang=${locale}">${renderHiddenFields({ action: 'case' })}
<ul class="cases">
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
const renderWindowScript = ({
  nonce,
  message,
  origin,
}: ChallengeContext): SafeHtml => html`<script nonce="${nonce}"
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

/** Renders the payment that the payer confirms. */
export const renderOrderFacts = (shown: ChallengeContext): SafeHtml | null => {
  const { text, merchant, amount, price, date, card } = shown
  return renderFacts([
    [text.amount, html`<data class="amount" value="${amount}">${price}</data>`],
    [text.merchant, merchant],
    [text.date, date],
    [text.card, renderCardLabel(card)],
  ])
}

const QUESTION_FORMS: Readonly<
  Record<ShownChallenge['by'], (shown: ChallengeContext) => SafeHtml>
> = { typing: renderTypingForm, choosing: renderChoosingForm, app: renderAppWait }

function renderTypingForm(shown: ChallengeContext): SafeHtml {
  const { locale, text, helper, says, wrong_codes } = shown
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
${renderOtherActions(shown)}
</form>
<details data-testid="bank-help"><summary>${text.help}</summary>
<p class="quiet">${text.help_text} ${helper ? text.help_code : null}</p></details>`
}

function renderChoosingForm(shown: ChallengeContext): SafeHtml {
  const { locale, text, helper, says, right, answers, several, wrong_codes } = shown
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
${renderOtherActions(shown)}
</form>`
}

/**
 * Renders the page of a payer who answers in an app. The page continues automatically, and a failed
 * request has no effect.
 */
function renderAppWait(shown: ChallengeContext): SafeHtml {
  const { locale, text, nonce, helper, scanned, says, step, app } = shown
  return html`<div class="app" role="status">
${scanned && step === 'waiting' ? renderQrPicture(`${app}?lang=${locale}`, text.app_code, 156) : null}
<div><p>${says}</p></div>
</div>
${
  helper
    ? html`<p><a class="button" href="${app}?lang=${locale}" target="_blank" rel="noopener"
  data-testid="bank-app">${text.open_app}</a></p>`
    : null
}
<p><a class="button small" href="?lang=${locale}" data-testid="bank-go-on">${text.has_answered}</a></p>
<form method="post" action="?lang=${locale}">
${renderOtherActions(shown)}
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
function renderOtherActions(shown: ChallengeContext): SafeHtml {
  const { text, by, new_codes_left, minutes_left, more_time_left } = shown
  const button = (action: string, id: string, label: string, look = 'plain') =>
    html`<button type="submit" name="action" value="${action}"
  data-testid="${id}" class="${look}" formnovalidate>${label}</button>`
  return html`<p class="head">
${by === 'typing' && new_codes_left > 0 ? button('new_code', 'bank-new-code', text.new_code) : null}
${button('cancel', 'bank-cancel', text.cancel, 'plain danger')}
</p>
<p class="head quiet">
<span>${text.time_left} ${minutes_left}</span>
${more_time_left > 0 ? button('more_time', 'bank-more-time', text.more_time) : null}
</p>`
}

/**
 * Reports that the payer has arrived or leaves, which the library reads: a window that looks closed
 * from the shop may be open.
 */
export const renderPresenceScript = ({
  nonce,
}: BankContext): SafeHtml => html`<script nonce="${nonce}">
const page = String(Math.random())
const tell = (left) =>
  navigator.sendBeacon(location.pathname + '/page', new URLSearchParams({ page, left }))
addEventListener('pageshow', () => tell(false))
addEventListener('pagehide', () => tell(true))
</script>
`
