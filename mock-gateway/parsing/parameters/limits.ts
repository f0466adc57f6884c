import { GatewayError } from '../../domain/errors/errors.ts'
import { MAX_DEPTH } from '../../domain/json.ts'

/** What one request may hold. */
export interface Limits {
  /** Bytes of the body; as many again of the address with its query and the headers. */
  readonly bodyBytes: number
  /** Levels of lists and objects inside one parameter. */
  readonly depth: number
  /** Fields of a query or a form, or members of a JSON body. */
  readonly parameters: number
}

/** The specification shows no limits; these are ours (decision 25). */
export const LIMITS: Limits = { bodyBytes: 256 * 1024, depth: MAX_DEPTH, parameters: 1000 }

/** @throws GatewayError errors.request.bad_format when there are more parameters than allowed */
export function rejectTooMany(count: number, limits: Limits): void {
  if (count > limits.parameters)
    throw new GatewayError('errors.request.bad_format', {
      explain: `A request may have at most ${limits.parameters} parameters`,
    })
}

/** The refusal of a body that is longer than allowed. */
export function createTooLongError(limit: number): GatewayError {
  return new GatewayError('errors.request.bad_format', {
    explain: `A request body may have at most ${limit} bytes; load larger data when the gateway starts: mondido-gateway --fixtures file`,
  })
}
