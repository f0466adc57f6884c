import type { AskedResult } from '../../../domain/card/three-d-secure.ts'

/** What every language must say of the results that the bank's page offers. */
export interface ResultWords {
  readonly results: Readonly<Record<AskedResult, string>>
}
