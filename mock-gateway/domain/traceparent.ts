/** Version, trace id, parent id and flags, in lower-case hexadecimal digits. */
const FORMAT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Fills an id that is invalid. */
const ZEROS = /^0+$/

/** The only flag of version 00. */
const SAMPLED = 0x01

/**
 * Reads the header `traceparent` of a request (W3C Trace Context, section 3.2).
 * @returns the header to pass on, always in version 00; undefined if it is missing or malformed
 */
export function readTraceparent(header: string | undefined): string | undefined {
  const [, version, trace = '', parent = '', flags = '', rest] = FORMAT.exec(header ?? '') ?? []
  if (version === undefined || version === 'ff') return undefined
  if (ZEROS.test(trace) || ZEROS.test(parent)) return undefined
  if (version === '00') return rest === undefined ? header : undefined
  const sampled = Number.parseInt(flags, 16) & SAMPLED
  return `00-${trace}-${parent}-0${sampled}`
}
