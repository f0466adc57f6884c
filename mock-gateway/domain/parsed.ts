import { GatewayError } from './errors/errors.ts'

/**
 * A parsed part of a request, or the error that it causes later. The request is parsed when it
 * arrives and rejected in the right order: a missing transaction is reported before invalid changes
 * (observed: 8.4).
 */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: GatewayError }

/**
 * Parses now and keeps a `GatewayError` for later. Other errors are bugs and are thrown
 * immediately.
 */
export function tryParse<T>(parse: () => T): Parsed<T> {
  try {
    return { ok: true, value: parse() }
  } catch (error) {
    if (error instanceof GatewayError) return { ok: false, refusal: error }
    throw error
  }
}

/** Returns the parsed value. @throws the error that `tryParse` kept */
export function unwrap<T>(parsed: Parsed<T>): T {
  if (parsed.ok) return parsed.value
  throw parsed.refusal
}
