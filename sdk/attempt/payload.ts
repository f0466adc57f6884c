import type { Pair } from '../form/snapshot.ts'
import type { ServedConfig } from '../settings/served-config.ts'

/** What one attempt sends: nothing in it is secret any more. */
export interface Payload {
  /** Absolute http(s) address. */
  url: string
  /**
   * Where the service tells what became of the attempt; undefined when the address is not one of
   * the service's own.
   */
  statusUrl: string | undefined
  /**
   * Where the payer's bank sees the payer before the payment is sent; undefined when it need not.
   */
  mpiUrl: string | undefined
  /** Posted by a form, which leaves the page, or sent by a request. */
  isForm: boolean
  /** The configuration whose key encrypted the values; undefined for a key of the page. */
  keyOf: ServedConfig | undefined
  fields: readonly Pair[]
  files: readonly HTMLInputElement[]
}
