/** Directives covered by default-src. */
const LOADING = [
  'style-src',
  'style-src-attr',
  'script-src',
  'script-src-attr',
  'img-src',
  'font-src',
  'connect-src',
  'frame-src',
] as const

/** Directives without a default, which always have to be set (CSP Level 3, section 6). */
const LEADING = ['base-uri', 'form-action', 'frame-ancestors'] as const

/**
 * Permissions of a page by directive: sources such as `SELF`, a nonce or an origin. Absent
 * directives are forbidden.
 */
export type Policy = Readonly<
  Partial<Record<(typeof LOADING | typeof LEADING)[number], readonly string[]>>
> & {
  /**
   * Gives the page an opaque origin, without scripts, forms and windows, whatever else is allowed
   * (HTML, sandboxing).
   */
  readonly sandbox?: boolean
  /** Its scripts create HTML from text, like jQuery when it loads: disables Trusted Types. */
  readonly htmlOfTexts?: boolean
}

/** The page's own origin. */
export const SELF = "'self'"

/** Scripts with this nonce, which is new in each response: base64 of 128 bits. */
export const formatNonceSource = (nonce: string): string => `'nonce-${nonce}'`

/** All web addresses. */
export const ANYWHERE = [SELF, 'https:', 'http:'] as const

/** Images, styles and fonts of a merchant's own page may come from any address (decision 58). */
export const LOOK_OF_MERCHANT: Policy = {
  'style-src': [...ANYWHERE, "'unsafe-inline'"],
  'img-src': [...ANYWHERE, 'data:'],
  'font-src': [...ANYWHERE, 'data:'],
}

/**
 * Builds the header Content-Security-Policy: everything that the record does not name is forbidden.
 */
export function writeContentSecurityPolicy(allowed: Policy): string {
  const directive = (name: (typeof LOADING | typeof LEADING)[number]) =>
    [name, joinSources(allowed[name])].join(' ')
  return [
    "default-src 'none'",
    ...LOADING.filter((name) => allowed[name]).map(directive),
    ...LEADING.map(directive),
    ...(allowed.sandbox ? ['sandbox'] : []),
    // Sinks such as innerHTML reject text (Trusted Types).
    ...(allowed['script-src'] && !allowed.htmlOfTexts
      ? ["require-trusted-types-for 'script'"]
      : []),
  ].join('; ')
}

/** A URL's host may contain `;` and `,`, which would split a policy; no real host does. */
function joinSources(sources: readonly string[] = []): string {
  const writable = [...new Set(sources)].filter((source) => /^[^\s;,]+$/.test(source))
  return writable.length > 0 ? writable.join(' ') : "'none'"
}
