import { badFormat, type GatewayError } from '../../domain/errors/errors.ts'
import { MAX_DEPTH } from '../../domain/json.ts'

/** Limits of one request. */
export interface Limits {
  /** Bytes of the body; the same limit applies to the address with its query and the headers. */
  readonly bodyBytes: number
  /** Depth of lists and objects in one parameter. */
  readonly depth: number
  /** Number of fields of a query or a form, or members of a JSON body. */
  readonly parameters: number
}

/** Our decision 25: the specification has no limits. */
export const LIMITS: Limits = { bodyBytes: 256 * 1024, depth: MAX_DEPTH, parameters: 1000 }

/** @throws GatewayError errors.request.bad_format if there are more parameters than allowed */
export function rejectTooMany(count: number, limits: Limits): void {
  if (count > limits.parameters)
    throw badFormat(`A request may have at most ${limits.parameters} parameters.`)
}

export function createTooLongError(limit: number): GatewayError {
  return badFormat(
    `A request body may have at most ${limit} bytes. Load larger data at the start, with mondido-gateway --fixtures file.`,
  )
}
