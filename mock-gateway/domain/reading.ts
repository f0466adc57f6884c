import { GatewayError } from './errors/errors.ts'

/**
 * What a request says, or why that cannot be. Read where the request comes in, and refused when it
 * is its turn: whether there is such a transaction, for one, is said before what is wrong with its
 * changes (observed: 8.4).
 */
export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: GatewayError }

/**
 * Reads now, and keeps a refusal for later. Any other error is a mistake of ours, and thrown at
 * once.
 */
export function reading<T>(read: () => T): Reading<T> {
  try {
    return { ok: true, value: read() }
  } catch (error) {
    if (error instanceof GatewayError) return { ok: false, refusal: error }
    throw error
  }
}

/** What was read. @throws the refusal that was kept */
export function said<T>(read: Reading<T>): T {
  if (read.ok) return read.value
  throw read.refusal
}
