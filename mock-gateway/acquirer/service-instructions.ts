import { findEntry, getKey } from '../domain/errors/errors.ts'
import { readFailureInstructions } from '../domain/order/metadata.ts'
import type { AuthorizationRequest, DeclineRule } from './authorization.ts'

/**
 * Fails as the metadata asks, in test mode (specification: Metadata): with an error of the
 * catalogue by name or number, or with a free text. Given both, the error decides and the text
 * describes it (our decision).
 */
export const declineByInstructions: DeclineRule = (request) => {
  const { failAsCode, failAsMessage } = readInstructions(request)
  if (failAsCode === undefined) {
    return failAsMessage === undefined
      ? undefined
      : {
          kind: 'failed',
          error: 'errors.payment.failed',
          message: failAsMessage,
          explain: explainInstruction('fail_as_message'),
        }
  }
  if (hasStoringFailure(request)) return undefined
  const entry = findEntry(failAsCode)
  if (entry === undefined) {
    return {
      kind: 'failed',
      error: 'errors.generic',
      message: `fail_as_code ${failAsCode} is not an error of the catalogue`,
      explain:
        'fail_as_code of metadata.service_instructions must be the name or the code of an error.',
    }
  }
  return {
    kind: 'failed',
    error: getKey(entry),
    explain: explainInstruction('fail_as_code'),
    ...(failAsMessage !== undefined && { message: failAsMessage }),
  }
}

/**
 * Returns true if the metadata of a test payment requests that the typed card pays but is not
 * stored (specification: store_card). The meaning of fail_as_code errors.stored_card.store.declined
 * is our decision.
 */
export function hasStoringFailure(request: AuthorizationRequest): boolean {
  const { failAsCode } = readInstructions(request)
  if (!request.storeCard || request.source.kind !== 'card' || failAsCode === undefined) return false
  return findEntry(failAsCode)?.name === 'errors.stored_card.store.declined'
}

const readInstructions = ({ test, metadata }: AuthorizationRequest) =>
  test ? readFailureInstructions(metadata) : {}

const explainInstruction = (instruction: string) =>
  `metadata.service_instructions requests this result with ${instruction}. Leave it out to let the bank decide.`
