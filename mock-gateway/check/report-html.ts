import { html, type SafeHtml, trustHtml } from '../web/pages/html.ts'
import { CASES } from './cases.ts'
import type { PaymentStory } from './gateway.ts'
import { describeGroup, findResults, renderSummary, repeatCommand } from './report.ts'
import type { CaseResult, CheckReport } from './results.ts'

/** The gateway, shop and time of the results. */
export interface ReportContext {
  readonly shopUrl: string
  /** The command that runs the check, without cases. */
  readonly command: string
  readonly gateway: { readonly url: string }
}

const STYLE = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif }
body {
  max-width: 60rem;
  margin: 0 auto;
  padding: 1rem;
  background: light-dark(#fff, #151b18);
  color: light-dark(#14201a, #e9f0ec);
  overflow-wrap: anywhere;
}
h1 { font-size: 1.5rem }
h2 { font-size: 1.25rem }
h3 { margin: 0; font-size: 1.125rem }
h4 { margin: 1rem 0 0; font-size: 1rem }
section { padding: 1rem 0; border-top: 1px solid light-dark(#dfe5e2, #2d3732) }
summary { cursor: pointer }
time { font-size: .875rem }
a, .passed { color: light-dark(#14573a, #7fdcaa) }
.failed { color: light-dark(#a3121f, #ffb0b0) }
time, .quiet, .not-checked { color: light-dark(#55625b, #a6b3ac) }
code { font: .875em/1.5 ui-monospace, monospace }`

/** Results as one HTML file that loads nothing. It contains no secrets and no card numbers. */
export function renderHtml(
  report: CheckReport,
  { shopUrl, command, gateway }: ReportContext,
): string {
  const others = (['not checked', 'passed'] as const).flatMap((verdict) =>
    report.results.filter((result) => result.verdict === verdict),
  )
  const title = `Check of ${shopUrl}`
  const showPayment = (payment: PaymentStory) => renderPaymentDetails(payment, gateway.url)
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${trustHtml(STYLE)}</style>
</head>
<body>
<h1>${title}</h1>
${renderSummary(report)
  .split('\n')
  .map((line) => html`<p>${line}</p>`)}
${
  report.causes.length > 0
    ? html`<h2>Causes</h2>
<p><a href="${linkFix(gateway.url)}">How to fix them</a></p>
${renderGroups(report, { command, showPayment })}`
    : null
}
<h2>Other cases</h2>
${others.map(
  ({ case: name, verdict, cause }) =>
    html`<p><span class="${verdict.replace(' ', '-')}">${verdict}</span> ${name}. ${cause}</p>\n`,
)}
</body>
</html>
`)
}

/** Command that runs the check without cases, and the view of a payment. */
interface GroupContext {
  readonly command: string
  readonly showPayment: (payment: PaymentStory) => SafeHtml
}

/** Shows each cause with its fix and its simplest case; the other cases are folded. */
export const renderGroups = (
  { results, causes }: Pick<CheckReport, 'results' | 'causes'>,
  context: GroupContext,
): SafeHtml =>
  html`${causes.map((group) => {
    const [first, ...others] = findResults({ results }, group)
    return html`<section>
<h3>${describeGroup(group)}</h3>
${group.fix && html`<p>Fix: ${group.fix}</p>`}
${first && renderFailure(first, context)}
${
  others.length > 0
    ? html`<details><summary>The same cause: ${others.length}</summary>
${others.map((result) => renderFailure(result, context))}</details>`
    : null
}
</section>\n`
  })}`

function renderFailure(result: CaseResult, { command, showPayment }: GroupContext): SafeHtml {
  const { case: name, cause, steps = [], payments = [] } = result
  const { done, must, why } = CASES.find((each) => each.name === name) ?? {}
  const items = steps.map(
    ({ at, says, shows }) =>
      html`<li>${renderTime(at)} ${says}${shows && html` <em class="quiet">${shows}</em>`}</li>`,
  )
  return html`<h4>${name}</h4>
<p>${cause}</p>
<p class="quiet">${done} Expected: ${must} ${why}</p>
<details><summary>Steps: ${steps.length}</summary><ol>${items}</ol></details>
${payments.map(showPayment)}
<p>Repeat: <code>${repeatCommand(command, result)}</code></p>`
}

/** Returns the address of the document with the fixes, on the used gateway. */
export const linkFix = (gatewayUrl: string): string =>
  `${gatewayUrl}/docs/reference/check-cases#causes`

function renderPaymentDetails(
  { id, payment_ref, status, entries }: PaymentStory,
  gatewayUrl: string,
): SafeHtml {
  const items = entries.map(
    ({ at, kind, title, says }) => html`<li>${renderTime(at)} ${kind}: ${title} ${says}</li>`,
  )
  return html`<details>
<summary>Transaction ${id}, ${payment_ref}, ${status}</summary>
<p><a href="${gatewayUrl}/console/transactions/${id}">Open it in the console</a></p>
<ul>${items}</ul></details>`
}

const renderTime = (at: string): SafeHtml => html`<time datetime="${at}">${at.slice(11, 23)}</time>`
