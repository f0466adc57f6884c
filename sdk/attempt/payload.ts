import type { Pair } from '../form/snapshot.ts'
import type { ServedConfig } from '../types.ts'

/** Data that one attempt sends; all secrets in it are encrypted. */
export interface Payload {
  /** Absolute http(s) address. */
  url: string
  /**
   * Address of the attempt's status; undefined if the payment's address is not one of the service's
   * own.
   */
  statusUrl: string | undefined
  /** Address of the bank's authentication before the payment; undefined if it is not needed. */
  mpiUrl: string | undefined
  /** Way of sending: a form post, which leaves the page, or a request. */
  isForm: boolean
  /** The configuration whose key encrypted the values; undefined for a key of the page. */
  keyOf: ServedConfig | undefined
  fields: readonly Pair[]
  files: readonly HTMLInputElement[]
}
