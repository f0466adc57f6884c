import { describeState, type SandboxState } from '../../operations/sandbox.ts'
import type { AddressOf } from '../pages/assets.ts'
import { withBreaks } from '../pages/breaks.ts'
import { groupDigits } from '../pages/card-number.ts'
import { hiddenFields, html, type SafeHtml } from '../pages/html.ts'
import { layout } from '../pages/layout.ts'
import { CVV_CARDS, PLAIN_CARD, THREE_D_SECURE_CARDS } from './cards.ts'
import type { Sample } from './samples.ts'

/** The merchant whose data the page may show. */
interface KnownMerchant {
  readonly id: number
  readonly password: string
  readonly secret: string
}

/** Data of the home page. */
interface HomeFacts {
  /** Path of the gateway, such as `/gateway`; empty for the top. */
  readonly root: string
  /** Address of the gateway, as the browser reached it. */
  readonly at: string
  /** Addresses by name. */
  readonly addresses: Readonly<Record<string, string>>
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

/** Renders the home page. */
export const homeView = (addressOf: AddressOf, facts: HomeFacts): SafeHtml => {
  const { root } = facts
  return layout({
    locale: 'en',
    title: 'Mondido gateway',
    style: addressOf('console/views/console.css'),
    head: html`<link rel="icon" href="${addressOf('pages/icon.svg')}" type="image/svg+xml">
<script src="${addressOf('console/scripts/console.js')}" defer></script>
`,
    body: html`<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="brand" href="${root}/">Mondido gateway</a>
<p><a href="${root}/console">Console</a></p>
<p><a href="${root}/docs">Documentation</a></p>
</header>
<main id="main" tabindex="-1" class="home">
<h1>Your own payment service</h1>
<p>No money moves: cards, banks and payers are simulated.
The API, the payment page and webhooks follow the service's specification.</p>
${facts.paid && paidNote(facts, facts.paid)}
${firstPayment(facts)}
${running(facts)}
<section><h2>Test cards</h2>
<p>They pay with <code>test=true</code>. The CVV decides the result.</p>
<dl class="facts">${fact('Number', copiedNumber(PLAIN_CARD))}
${fact('Expiry', `${facts.expiry}, or any other future date`)}
${fact('Cardholder', 'any name')}</dl>
${cvvTable}
<h2>3-D Secure</h2>
<p>The card number decides the result. Use CVV 200.
In a challenge, enter 1234.</p>
<details class="fold"><summary>All ${THREE_D_SECURE_CARDS.length} cases</summary></details>
${caseTable}
</section>
</main>`,
  })
}

const paidNote = (
  { root, known }: HomeFacts,
  { id, status, isPaid, reason }: NonNullable<HomeFacts['paid']>,
): SafeHtml => html`<p class="${isPaid ? 'done' : 'problem'}" role="status">Payment ${id} is
<b>${status}</b>${reason && `: ${reason}`}.</p>
${known && enterForm(root, known, 'See what happened', `transactions/${id}`)}`

const firstPayment = ({
  root,
  known,
  order,
  isLocal,
  samples,
}: HomeFacts): SafeHtml => html`<section><h2>A first payment</h2>
${
  known && order
    ? html`<div class="presets">
<form method="post" action="${root}/v1/form">${hiddenFields(order)}
<button>Pay 10.00 SEK with a test card</button></form>
${enterForm(root, known, 'Open the console')}
${isLocal ? enterForm(root, known, 'Inject a fault', 'faults') : null}
</div>
<p class="hint">The same payment from your shop:</p>`
    : html`<p class="quiet">Replace the id, password and secret with your own.</p>`
}
${samples.map(
  ({ language, run, code }, at) =>
    html`<details name="sample"${at === 0 ? html` open` : null}>
<summary>${language} <span class="quiet">${run}</span></summary>
<pre tabindex="0">${code}</pre></details>
`,
)}</section>`

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
${hiddenFields({ username: id, password, to })}<button class="${look}">${text}</button></form>`
}

/** Renders addresses, merchant and version of the gateway. */
const running = ({
  root,
  at,
  addresses,
  known,
  hasAdministrator,
  isLocal,
  examples,
  database,
  version,
  now,
  state,
}: HomeFacts): SafeHtml => {
  const mode = state.clock
  const on = describeState(state)
  const time = new Date(now).toISOString().slice(0, 19)
  const copied = (name: string, value: string | number) =>
    fact(name, html`<span data-copy>${withBreaks(String(value))}</span>`)
  const logins = hasAdministrator
    ? html`<span class="note">as a merchant,
or as <code>admin</code> with the control key, which the gateway printed at its start</span>`
    : null
  return html`<section><h2>This gateway</h2>
<dl class="facts">${Object.entries(addresses).map(([name, value]) => copied(name, value))}
${known && copied('Merchant', known.id)}
${known && copied('Password', known.password)}
${known && copied('Secret', known.secret)}
${fact('Console', html`<a href="${root}/console">${at}/console</a> ${logins}`)}
${fact('Documentation', html`<a href="${root}/docs">${at}/docs</a>`)}
${examples && fact('Example shops', html`<a href="${examples}">${examples}</a>`)}
${fact(
  'Clock',
  html`<span class="clock">
<time datetime="${time}Z" data-mode="${mode}">${time.replace('T', ' ')}</time></span>
<span class="quiet">UTC${mode === 'real' ? null : `, ${mode}`}</span>`,
)}
${on.length > 0 ? fact('Switched on', on.join(', ')) : null}
${fact('Data', database)}
${fact('Version', version)}</dl>
<div class="presets">
${isLocal && !state.is_normal ? html`<form method="post" action="${root}/normal"><button class="small">Back to normal</button></form>` : null}
${known && isLocal ? enterForm(root, known, 'Reset the data', 'reset', 'small danger') : null}</div></section>`
}

const fact = (name: string, value: SafeHtml | string): SafeHtml =>
  html`<div><dt>${name}</dt><dd>${value}</dd></div>
`

const copiedNumber = (number: string): SafeHtml =>
  html`<span class="number" data-copy="${number}">${groupDigits(number)}</span>`

const cvvTable = html`<div class="wide"><table class="compact">
<thead><tr>
<th scope="col">CVV</th>
<th scope="col">Meaning</th>
<th scope="col">Payment result</th>
</tr></thead>
<tbody>
${CVV_CARDS.map(
  ({ cvv, what, ends }) => html`<tr>
<td data-head="CVV" class="first">${cvv}</td>
<td data-head="Meaning" class="second">${what}</td>
<td data-head="Payment result" class="first-end">${ends}</td>
</tr>
`,
)}</tbody>
</table></div>`

const caseTable = html`<div class="wide"><table class="compact">
<thead><tr>
<th scope="col">Case</th>
<th scope="col">Number</th>
<th scope="col">3-D Secure result</th>
<th scope="col">Payment result</th>
</tr></thead>
<tbody>
${THREE_D_SECURE_CARDS.map(
  ({ number, what, ends }, at) => html`<tr>
<td data-head="Case" class="first-end">${at + 1}</td>
<td data-head="Number" class="number first">${copiedNumber(number)}</td>
<td data-head="3-D Secure result" class="second">${what}</td>
<td data-head="Payment result" class="second-end">${withBreaks(ends)}</td>
</tr>
`,
)}</tbody>
</table></div>`
