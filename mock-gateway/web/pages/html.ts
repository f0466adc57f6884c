import { type SafeHtml, html as template } from '@remix-run/html-template'

export type { SafeHtml }

/** Contents of a template. Not booleans: a forgotten condition would print "false". */
export type Content = SafeHtml | string | number | null | undefined | readonly Content[]

/**
 * Builds HTML. Texts are escaped, HTML from this function is not; null and undefined print nothing.
 */
export const html = template as (
  strings: TemplateStringsArray,
  ...contents: readonly Content[]
) => SafeHtml

/** Renders hidden fields of a form; null is not sent. */
export const renderHiddenFields = (
  values: Readonly<Record<string, string | number | null>>,
): SafeHtml =>
  html`${Object.entries(values).map(([name, value]) =>
    value === null ? null : html`<input type="hidden" name="${name}" value="${value}">`,
  )}`

/** Row of a list of facts; a row without a value is left out. */
export type Fact = readonly [name: string, value: SafeHtml | string | number | null]

/** Renders a list of facts; nothing if there are none. */
export function renderFacts(facts: readonly Fact[]): SafeHtml | null {
  const shown = facts.filter(([, value]) => value !== null && value !== '')
  if (shown.length === 0) return null
  return html`<dl>
${shown.map(
  ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>
`,
)}</dl>`
}

/** Marks a text as HTML. Only for HTML with escaped texts, such as rendered Markdown. */
export const trustHtml = (text: string): SafeHtml => template.raw`${text}`
