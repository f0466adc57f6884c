import { html, type SafeHtml, trustedHtml } from '../web/pages/html.ts'
import { CASES } from './cases.ts'
import type { CauseGroup } from './causes.ts'
import type { PaymentStory } from './gateway.ts'
import { describeGroup, openGroup, renderSummary, repeatCommand } from './report.ts'
import type { CaseResult, CheckReport } from './run.ts'

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
h2, h3 { margin: 0; font-size: 1.125rem }
h3 { margin-top: 1rem; font-size: 1rem }
section { padding: 1rem 0; border-top: 1px solid light-dark(#dfe5e2, #2d3732) }
summary { cursor: pointer }
time { font-size: .875rem }
a, .passed { color: light-dark(#14573a, #7fdcaa) }
.failed { color: light-dark(#a3121f, #ffb0b0) }
time, .not-checked { color: light-dark(#55625b, #a6b3ac) }
code { font: .875em/1.5 ui-monospace, monospace }`

/** Results as one HTML file that loads nothing. It contains no secrets and no card numbers. */
export function renderHtml(report: CheckReport, context: ReportContext): string {
  const others = (['not checked', 'passed'] as const).flatMap((verdict) =>
    report.results.filter((result) => result.verdict === verdict),
  )
  const title = `Check of ${context.shopUrl}`
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${trustedHtml(STYLE)}</style>
</head>
<body>
<h1>${title}</h1>
${renderSummary(report)
  .split('\n')
  .map((line) => html`<p>${line}</p>`)}
${report.causes.map((group) => groupSection(group, report, context))}
${others.map(
  (result) => html`<section>${caseHead(result)}
<p>${result.cause}</p></section>\n`,
)}
</body>
</html>
`)
}

/** Shows a cause with its simplest case; the other cases are folded. */
function groupSection(
  group: CauseGroup,
  report: CheckReport,
  { gateway: { url }, command }: ReportContext,
): SafeHtml {
  const { first, others } = openGroup(report, group)
  const folded = report.results.filter((result) => others.includes(result.case))
  return html`<section>
<h2><span class="failed">failed</span> ${describeGroup(group)}</h2>
${group.fix && html`<p>Fix: ${group.fix} <a href="${fixLink(url)}">How to fix it</a></p>`}
${first && failureView(first, url, command)}
${
  folded.length > 0
    ? html`<details><summary>The same cause: ${folded.length}</summary>
${folded.map((result) => failureView(result, url, command))}</details>`
    : null
}
</section>\n`
}

function failureView(result: CaseResult, url: string, command: string): SafeHtml {
  const { cause, steps = [], payments = [] } = result
  const { why } = CASES.find(({ name }) => name === result.case) ?? {}
  const items = steps.map(
    ({ at, says, shows }) =>
      html`<li>${timeOf(at)} ${says}${shows && html` <em>${shows}</em>`}</li>`,
  )
  return html`${caseHead(result)}
<p><strong>${cause}</strong></p>
<p>${why}</p>
<ol>${items}</ol>
${payments.map((payment) => paymentDetails(payment, url))}
<p>Repeat: <code>${repeatCommand(command, result)}</code></p>`
}

function caseHead({ case: name, verdict }: CaseResult): SafeHtml {
  const { done, must } = CASES.find((each) => each.name === name) ?? {}
  return html`<h3><span class="${verdict.replace(' ', '-')}">${verdict}</span> ${name}</h3>
<p>${done} ${must}</p>`
}

/** Returns the address of the document with the fixes, on the used gateway. */
export const fixLink = (gatewayUrl: string): string =>
  `${gatewayUrl}/docs/reference/check-cases#causes`

function paymentDetails(
  { id, payment_ref, status, entries }: PaymentStory,
  gatewayUrl: string,
): SafeHtml {
  const items = entries.map(
    ({ at, kind, title, says }) => html`<li>${timeOf(at)} ${kind}: ${title} ${says}</li>`,
  )
  return html`<details>
<summary>Transaction ${id}, ${payment_ref}, ${status}</summary>
<p><a href="${gatewayUrl}/console/transactions/${id}">Open it in the console</a></p>
<ul>${items}</ul></details>`
}

const timeOf = (at: string): SafeHtml => html`<time datetime="${at}">${at.slice(11, 23)}</time>`
