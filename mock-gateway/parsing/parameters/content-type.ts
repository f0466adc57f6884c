import { GatewayError } from '../../domain/errors/errors.ts'

/** A parsed Content-Type or Content-Disposition header. */
export interface HeaderValue {
  /** Lower case, without parameters; empty if the header is missing. */
  readonly type: string
  /** Parameter values by name in lower case. */
  readonly parameters: ReadonlyMap<string, string>
}

/** One `; name=value` or `; name="value"`, with backslash escapes in the quotes. */
const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g

/** Charsets whose bytes are UTF-8. */
const UTF8: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii'])

/**
 * Splits a header of the form `type; name=value` (RFC 9110, section 5.6.6). Unreadable parts are
 * ignored.
 * @throws GatewayError errors.request.bad_format if a parameter appears twice: readers disagree
 *   which one counts
 */
export function readHeader(header: string | undefined): HeaderValue {
  const value = header ?? ''
  const end = value.indexOf(';')
  const parameters = new Map<string, string>()
  if (end >= 0) {
    for (const [, name = '', quoted, plain = ''] of value.slice(end).matchAll(PARAMETER)) {
      const key = name.toLowerCase()
      if (parameters.has(key)) throw repeatedParameter()
      parameters.set(key, quoted?.replace(/\\(.)/g, '$1') ?? plain)
    }
  }
  return { type: (end < 0 ? value : value.slice(0, end)).trim().toLowerCase(), parameters }
}

/**
 * Accepts UTF-8 or no charset.
 * @throws GatewayError errors.request.bad_format for every other charset, since a wrong guess could
 *   change an amount
 */
export function checkCharset(header: HeaderValue): void {
  const charset = header.parameters.get('charset')
  if (charset !== undefined && !UTF8.has(charset.toLowerCase()))
    throw new GatewayError('errors.request.bad_format', {
      explain: 'The charset of a request must be UTF-8.',
    })
}

function repeatedParameter(): GatewayError {
  return new GatewayError('errors.request.bad_format', {
    explain: 'A content header contains a parameter twice. Send each parameter once.',
  })
}
