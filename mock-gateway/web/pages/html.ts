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

/** Marks a text as HTML. Only for HTML with escaped texts, such as rendered Markdown. */
export const trustedHtml = (text: string): SafeHtml => template.raw`${text}`
