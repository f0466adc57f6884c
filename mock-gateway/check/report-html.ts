import { escapeHtml } from '../web/pages/escape-html.ts'
import { CASES } from './cases.ts'
import type { PaymentStory } from './gateway-data.ts'
import { renderSummary, repeatCommand } from './report.ts'
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
h2 { margin: 0; font-size: 1.125rem }
section { padding: 1rem 0; border-top: 1px solid light-dark(#dfe5e2, #2d3732) }
summary { cursor: pointer }
time { font-size: .875rem }
a, .passed { color: light-dark(#14573a, #7fdcaa) }
.failed { color: light-dark(#a3121f, #ffb0b0) }
time, .not-checked { color: light-dark(#55625b, #a6b3ac) }
code { font: .875em/1.5 ui-monospace, monospace }`

/** Results as one HTML file that loads nothing. It contains no secrets and no card numbers. */
export function renderHtml(report: CheckReport, context: ReportContext): string {
  const { results } = report
  const inOrder = (['failed', 'not checked', 'passed'] as const).flatMap((verdict) =>
    results.filter((result) => result.verdict === verdict),
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Check of ${escapeHtml(context.shopUrl)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Check of ${escapeHtml(context.shopUrl)}</h1>
<p>${escapeHtml(renderSummary(report))}</p>
${inOrder.map((result) => caseSection(result, context)).join('\n')}
</body>
</html>
`
}

function caseSection(result: CaseResult, context: ReportContext): string {
  const { case: name, verdict, cause, fix, steps = [], payments = [] } = result
  const { done = '', must = '', why = '' } = CASES.find((each) => each.name === name) ?? {}
  const mark = `<span class="${verdict.replace(' ', '-')}">${verdict}</span>`
  const head = `<h2>${mark} ${escapeHtml(name)}</h2>
<p>${escapeHtml(done)} ${escapeHtml(must)}</p>`
  if (verdict === 'passed') return `<section>\n${head}\n</section>`
  const fixes = escapeHtml(fixLink(context.gateway.url))
  const paragraphs = [
    cause && `<p><strong>${escapeHtml(cause)}</strong></p>`,
    verdict === 'failed' && `<p>${escapeHtml(why)}</p>`,
    fix && `<p>Fix: ${escapeHtml(fix)} <a href="${fixes}">How to fix it</a></p>`,
    steps.length > 0 && `<ol>${steps.map(stepItem).join('')}</ol>`,
    ...payments.map((payment) => paymentDetails(payment, context.gateway.url)),
    verdict === 'failed' &&
      `<p>Repeat: <code>${escapeHtml(repeatCommand(context.command, result))}</code></p>`,
  ]
  return `<section>\n${[head, ...paragraphs.filter(Boolean)].join('\n')}\n</section>`
}

/** Returns the address of the document with the fixes, on the used gateway. */
export const fixLink = (gatewayUrl: string): string => `${gatewayUrl}/docs/check-my-shop#cases`

const stepItem = ({ at, says, shows = '' }: NonNullable<CaseResult['steps']>[number]): string =>
  `<li>${timeOf(at)} ${escapeHtml(says)}${shows && ` <em>${escapeHtml(shows)}</em>`}</li>`

function paymentDetails(
  { id, payment_ref, status, entries }: PaymentStory,
  gatewayUrl: string,
): string {
  const items = entries.map(
    ({ at, kind, title, says }) =>
      `<li>${timeOf(at)} ${escapeHtml(kind)}: ${escapeHtml(title)} ${escapeHtml(says ?? '')}</li>`,
  )
  const link = `${gatewayUrl}/console/transactions/${id}/story`
  return `<details open>
<summary>Transaction ${id}, ${escapeHtml(payment_ref)}, ${escapeHtml(status)}</summary>
<p><a href="${escapeHtml(link)}">Open it in the console</a></p>
<ul>${items.join('')}</ul></details>`
}

const timeOf = (at: string): string =>
  `<time datetime="${escapeHtml(at)}">${escapeHtml(at.slice(11, 23))}</time>`
