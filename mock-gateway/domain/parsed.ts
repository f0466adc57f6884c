import { GatewayError } from './errors/errors.ts'

/**
 * What a request says, or why that cannot be. Read where the request comes in, and refused when it
 * is its turn: whether there is such a transaction, for one, is said before what is wrong with its
 * changes (observed: 8.4).
 */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: GatewayError }

/**
 * Reads now, and keeps a refusal for later. Any other error is a mistake of ours, and thrown at
 * once.
 */
export function tryParse<T>(parse: () => T): Parsed<T> {
  try {
    return { ok: true, value: parse() }
  } catch (error) {
    if (error instanceof GatewayError) return { ok: false, refusal: error }
    throw error
  }
}

/** What was read. @throws the refusal that was kept */
export function unwrap<T>(parsed: Parsed<T>): T {
  if (parsed.ok) return parsed.value
  throw parsed.refusal
}
