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

/** Marks a text as HTML. Only for HTML with escaped texts, such as rendered Markdown. */
export const trustHtml = (text: string): SafeHtml => template.raw`${text}`
