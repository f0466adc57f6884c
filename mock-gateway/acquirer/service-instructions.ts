import { entryByCode, entryByName } from '../domain/errors.ts'
import { serviceInstructions } from '../domain/metadata.ts'
import type { Axis } from './authorization.ts'

/**
 * Fails as the metadata asks, in test mode (specification: Metadata): with an error of the catalogue by name or number,
 * or with a free text. Given both, the error decides and the text describes it (our decision).
 */
export const byServiceInstructions: Axis = ({ test, metadata }) => {
  const { failAsCode, failAsMessage } = test ? serviceInstructions(metadata) : {}
  if (failAsCode === undefined) {
    return failAsMessage === undefined
      ? undefined
      : { kind: 'failed', error: 'errors.payment.failed', message: failAsMessage }
  }
  const entry = entryByName(failAsCode) ?? entryByCode(Number(failAsCode))
  if (entry === undefined) {
    return {
      kind: 'failed',
      error: 'errors.generic',
      message: `fail_as_code ${failAsCode} is not an error of the catalogue`,
    }
  }
  return { kind: 'failed', error: entry.name, ...(failAsMessage !== undefined && { message: failAsMessage }) }
}
