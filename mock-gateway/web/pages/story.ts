import { withMarkedControls } from '../../domain/characters.ts'
import type { Story } from '../../serializers/story/story.ts'
import { formatWireTime } from '../../serializers/time.ts'
import type { Assets } from './assets.ts'
import { withCode } from './breaks.ts'
import { html, type SafeHtml, trustHtml } from './html.ts'
import { renderSequenceDiagram } from './sequence.ts'

/** Renders a story without links: warnings, history and next steps. */
const renderStory = (story: Story): SafeHtml => html`${renderWarnings(story.findings)}
${renderSequenceDiagram(story)}
<h3>Next steps</h3>
${renderNextSteps(story.next)}`

/** Renders the possible next steps of a payment. */
export const renderNextSteps = (steps: readonly (SafeHtml | string)[]): SafeHtml =>
  html`<ul class="next">${steps.map((step) => html`<li class="row">${step}</li>`)}</ul>`

/** Renders the warnings about a payment that was accepted. */
export const renderWarnings = (findings: readonly string[]): SafeHtml | null =>
  findings.length === 0
    ? null
    : html`<div class="callout waiting">${findings.map(
        (finding) => html`<p><b>Warning:</b> ${withCode(finding)}</p>
`,
      )}</div>`

/** A file of stories. */
interface StoryFile {
  readonly title: string
  /** Epoch milliseconds by the gateway's clock. */
  readonly now: number
  /** Number of payments left out. */
  readonly leftOut?: number
}

/**
 * Renders stories as a file: one page of HTML without external resources, for a bug report or a
 * failed run.
 */
export async function renderStoryFile(
  assets: Assets,
  stories: readonly Story[],
  { title, now, leftOut = 0 }: StoryFile,
): Promise<string> {
  const sheet = (await assets()).find(({ path }) => path === 'pages/story-file.css')?.content ?? ''
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
${trustHtml(sheet)}
</style>
</head>
<body>
<h1>${title}</h1>
<p>Written at ${formatWireTime(now)} by the gateway's clock. All times are UTC.
The page contains no secrets and no card numbers.</p>
${
  stories.length > 1
    ? html`<ul>
${stories.map(
  (story) => html`<li>
<a href="#payment-${story.id}">Transaction ${story.id}</a>: ${writeHead(story)}</li>
`,
)}</ul>`
    : null
}
${stories.map(
  (story) => html`<section id="payment-${story.id}">
<h2>Transaction ${story.id}: ${writeHead(story)}</h2>
${renderStory(story)}
</section>
`,
)}${stories.length === 0 ? html`<p>No payment was made.</p>` : null}
${leftOut > 0 ? html`<p>${leftOut} more payments are left out.</p>` : null}
</body>
</html>
`
  return withMarkedControls(String(page))
}

const writeHead = ({ payment_ref, amount, currency, status }: Story) =>
  `${payment_ref}, ${amount} ${currency}, ${status}`
