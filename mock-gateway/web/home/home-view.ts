import type { KnownMerchant } from '../../merchants/seed.ts'
import { describeState, type SandboxState } from '../../operations/sandbox.ts'
import { formatWireTime } from '../../serializers/time.ts'
import type { AddressOf } from '../pages/assets.ts'
import { withBreaks } from '../pages/breaks.ts'
import { groupDigits } from '../pages/card-label.ts'
import { html, renderHiddenFields, type SafeHtml } from '../pages/html.ts'
import { renderMenuLink, renderSitePage } from '../pages/site.ts'
import { formatMinute } from '../pages/times.ts'
import type { Sample } from './samples.ts'

/** A test card that is never challenged. */
const PLAIN_CARD = '4111111111111111'

/** Results by CVV (specification: Test-mode behavior). */
const CVV_RESULTS = [
  ['200', 'approved'],
  ['201', 'declined by the bank, error 129'],
  ['202', 'wrong CVV, error 125'],
  ['203', 'expired card, error 130'],
] as const

/** Data of the home page. */
interface HomeFacts {
  /** Path of the gateway, such as `/gateway`; empty for the top. */
  readonly root: string
  /** Addresses by name. */
  readonly addresses: Readonly<Record<string, string>>
  /** The merchant whose data the page may show. */
  readonly known: KnownMerchant | undefined
  /** The console also has an administrator. */
  readonly hasAdministrator: boolean
  /** Only this machine can reach the gateway, so that the page offers faults and resets. */
  readonly isLocal: boolean
  readonly database: string
  readonly version: string
  /** Epoch milliseconds. */
  readonly now: number
  /** What tests have switched on for all merchants. */
  readonly state: SandboxState
  /** The payment that the payer returns from. */
  readonly paid:
    | {
        readonly id: number
        readonly status: string
        readonly isPaid: boolean
        /** Why the payment failed. */
        readonly reason: string | undefined
      }
    | undefined
  /** Fields of the first payment's form. */
  readonly order: Readonly<Record<string, string | number>> | undefined
  readonly samples: readonly Sample[]
  /** MMYY. */
  readonly expiry: string
  /** Address of the example shops. */
  readonly examples: string | undefined
}

/** Where to go after the first payment: a task, its guides, and a sentence. */
const DOORS = [
  [
    'Your language',
    'The same payment from your back end is below. Then connect your shop.',
    [
      ['#samples', 'PHP, Ruby, Python, JavaScript, C#'],
      ['/docs/how-to/connect-a-shop', 'Connect your shop'],
    ],
  ],
  [
    'Browser and React',
    'Take cards on your own page. The library encrypts them.',
    [
      ['/docs/start/checkout-page', 'A checkout page'],
      ['/docs/start/react-and-vite', 'React and Vite'],
    ],
  ],
  [
    'Tests',
    'Run a whole payment inside a test, also months later.',
    [
      ['/docs/start/test-that-pays', 'A test that pays'],
      ['/docs/reference/test-kit', 'Playwright, PHPUnit, RSpec, pytest'],
    ],
  ],
  [
    'Is my shop right?',
    'Send it late, lost and forged webhooks, and read the cause of each failure.',
    [['/docs/how-to/check-my-shop', 'Check my shop']],
  ],
] as const

/** Renders the home page. */
export const renderHome = (getAddress: AddressOf, facts: HomeFacts): SafeHtml => {
  const { root, known, examples } = facts
  return renderSitePage(getAddress, {
    root,
    title: 'Mondido gateway',
    menu: html`<ul>
${renderMenuLink(`${root}/`, 'Home', `${root}/`)}
${renderMenuLink(`${root}/console`, 'Console', '')}
${renderMenuLink(`${root}/docs`, 'Documentation', '')}
${examples && renderMenuLink(examples, 'Example shops', '')}</ul>`,
    foot: renderClock(facts),
    main: html`<h1>Your own payment service</h1>
<p class="tell">No money moves: cards, banks and payers are simulated.
The API, the payment page and webhooks follow the service's specification.</p>
${facts.paid && renderPaidNote(facts, facts.paid)}
<div class="two"><div>
${renderFirstPayment(facts)}
${renderSwitchedOnNote(facts)}
<section><h2>Go on</h2><ul class="doors">
${DOORS.map(
  ([task, about, links]) => html`<li><h3>${task}</h3><p>${about}</p>
${links.map(([to, text]) => html`<a href="${to.startsWith('#') ? '' : root}${to}">${text}</a>`)}</li>
`,
)}</ul></section>
<section id="samples"><h2>The same payment from your shop</h2>
${known ? null : html`<p class="quiet">Replace the id, password and secret with your own.</p>`}
${facts.samples.map(
  ({ language, run, code }, at) =>
    html`<details name="sample"${at === 0 ? html` open` : null}>
<summary>${language} <span class="quiet">${run}</span></summary>
<pre tabindex="0">${code}</pre></details>
`,
)}</section>
</div><aside>
${testCards(facts)}
${renderRunning(facts)}
</aside></div>`,
  })
}

const renderPaidNote = (
  { root, known }: HomeFacts,
  { id, status, isPaid, reason }: NonNullable<HomeFacts['paid']>,
): SafeHtml => html`<div class="callout ${isPaid ? 'good' : 'bad'}"><p role="status">Payment ${id} is
<b>${status}</b>${reason && `: ${reason}`}.</p>
${known && enterForm(root, known, 'See what happened', `transactions/${id}`)}</div>`

/** Renders what tests have switched on; null if the gateway is in its normal state. */
const renderSwitchedOnNote = ({ root, state, isLocal }: HomeFacts): SafeHtml | null => {
  const on = [state.clock === 'real' ? [] : CLOCK_MODES[state.clock], describeState(state)].flat()
  return on.length === 0
    ? null
    : html`<div class="callout waiting row head"><span>Switched on: ${on.join(', ')}.</span>
${isLocal ? html`<form method="post" action="${root}/normal"><button class="small">Back to normal</button></form>` : null}</div>`
}

const renderFirstPayment = ({ root, known, order, isLocal }: HomeFacts): SafeHtml | null =>
  known && order
    ? html`<section><h2>A first payment</h2><div class="row">
<form method="post" action="${root}/v1/form">${renderHiddenFields(order)}
<button>Pay 10.00 SEK with a test card</button></form>
${enterForm(root, known, 'Open the console')}
${isLocal ? enterForm(root, known, 'Inject a fault', 'faults') : null}
</div></section>`
    : null

/** Renders a button that opens a page of the console, logged in as the known merchant. */
const enterForm = (
  root: string,
  { id, password }: KnownMerchant,
  text: string,
  page?: string,
  look = 'small',
): SafeHtml => {
  const to = `${root}/console/${id}${page ? `/${page}` : ''}`
  return html`<form method="post" action="${root}/console/login">
${renderHiddenFields({ username: id, password, to })}<button class="${look}">${text}</button></form>`
}

const CLOCK_MODES = {
  real: 'real time',
  offset: 'clock moved',
  frozen: 'clock frozen',
}

/** Renders the clock, as the console does. */
const renderClock = ({ now, state: { clock: mode } }: HomeFacts): SafeHtml => {
  const text = CLOCK_MODES[mode]
  return html`<div class="sandbox quiet">
<span class="is ${mode === 'real' ? 'good' : 'waiting'}">${text.charAt(0).toUpperCase()}${text.slice(1)}</span>
<strong><time datetime="${formatWireTime(now)}" data-mode="${mode}">${formatMinute(now)}</time> UTC</strong></div>`
}

const testCards = ({ root, expiry }: HomeFacts): SafeHtml =>
  html`<section><h2>Test card</h2>
<dl class="facts">${renderFact('Number', html`<span class="number" data-copy="${PLAIN_CARD}">${groupDigits(PLAIN_CARD)}</span>`)}
${renderFact('Expiry', `${expiry}, or later`)}
${CVV_RESULTS.map(([cvv, ends]) => renderFact(`CVV ${cvv}`, ends))}</dl>
<p><a href="${root}/docs/reference/test-cards">All test cards and cases of 3-D Secure</a></p>
</section>`

/** Renders addresses, merchant and version of the gateway. */
const renderRunning = (facts: HomeFacts): SafeHtml => {
  const { root, addresses, known, hasAdministrator, isLocal, database, version } = facts
  const copied = (name: string, value: string | number, shown = value) =>
    renderFact(name, html`<span data-copy="${value}">${withBreaks(String(shown))}</span>`)
  // The addresses usually have one origin, which is shown once.
  const { origin = '' } = URL.parse(addresses.API ?? '') ?? {}
  return html`<section><h2>This gateway</h2>
<dl class="facts">${copied('Address', origin)}
${Object.entries(addresses).map(([name, value]) => copied(name, value, value.replace(origin, '')))}
${known && copied('Merchant', known.id)}
${known && copied('Password', known.password)}
${known && copied('Secret', known.secret)}
${renderFact('Data', database)}
${renderFact('Version', version)}</dl>
${
  hasAdministrator
    ? html`<p class="quiet">You can log in to the console as a merchant,
or as <code>admin</code> with the control key, which the gateway printed at its start.</p>`
    : null
}
${known && isLocal ? enterForm(root, known, 'Reset the data', 'reset', 'small danger') : null}</section>`
}

const renderFact = (name: string, value: SafeHtml | string): SafeHtml =>
  html`<div><dt>${name}</dt><dd>${value}</dd></div>
`
