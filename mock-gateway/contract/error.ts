/**
 * Body of every refused call, with exactly these keys in this order (specification: Errors).
 * With the setting error_object there is a fourth, `object` (our decision).
 * The HTTP status and the header `Mondido-Explain` travel beside it, not in it.
 */
export interface ApiError {
  /** Dotted identifier, begins with `errors.`. */
  readonly name: string
  /** Number of the error; 1290 belongs to two names. */
  readonly code: number
  /** One short text in the language of the request, fit to be shown to a payer. */
  readonly description: string
}
