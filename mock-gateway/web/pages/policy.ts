/** What the default speaks for: where a page loads from. */
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

/** What no default speaks for, so that it always has to be said (CSP Level 3, section 6). */
const LEADING = ['base-uri', 'form-action', 'frame-ancestors'] as const

/**
 * What a page may do, by directive: sources such as `SELF`, a nonce or an origin. What is left out
 * is forbidden.
 */
export type Policy = Readonly<
  Partial<Record<(typeof LOADING | typeof LEADING)[number], readonly string[]>>
> & {
  /**
   * The page is of no origin, and has no scripts, forms or windows, whatever else is allowed (HTML,
   * sandboxing).
   */
  readonly sandbox?: boolean
  /**
   * Its scripts make HTML of texts, as jQuery does when it is loaded: sinks such as innerHTML take
   * them (Trusted Types).
   */
  readonly htmlOfTexts?: boolean
}

/** The origin that the page itself comes from. */
export const SELF = "'self'"

/** Scripts that bear the same nonce, which is new with each answer: base64 of 128 bits. */
export const nonceSource = (nonce: string): string => `'nonce-${nonce}'`

/** Anywhere on the web. */
export const ANYWHERE = [SELF, 'https:', 'http:'] as const

/**
 * What a page that its merchant wrote may look like: images, styles and fonts come from where they
 * are (decision 58).
 */
export const LOOK_OF_MERCHANT: Policy = {
  'style-src': [...ANYWHERE, "'unsafe-inline'"],
  'img-src': [...ANYWHERE, 'data:'],
  'font-src': [...ANYWHERE, 'data:'],
}

/**
 * The value of the header Content-Security-Policy: nothing is allowed but what the record names.
 */
export function contentSecurityPolicy(allowed: Policy): string {
  const directive = (name: (typeof LOADING | typeof LEADING)[number]) =>
    [name, sourcesOf(allowed[name])].join(' ')
  return [
    "default-src 'none'",
    ...LOADING.filter((name) => allowed[name]).map(directive),
    ...LEADING.map(directive),
    ...(allowed.sandbox ? ['sandbox'] : []),
    // Text becomes no script by accident: sinks such as innerHTML refuse it (Trusted Types).
    ...(allowed['script-src'] && !allowed.htmlOfTexts
      ? ["require-trusted-types-for 'script'"]
      : []),
  ].join('; ')
}

/**
 * A host may hold `;` and `,` in a URL, but not in a policy, which they would split; no such host
 * has a name.
 */
function sourcesOf(sources: readonly string[] = []): string {
  const writable = [...new Set(sources)].filter((source) => /^[^\s;,]+$/.test(source))
  return writable.length > 0 ? writable.join(' ') : "'none'"
}
