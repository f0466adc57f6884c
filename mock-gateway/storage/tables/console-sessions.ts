import { moment, nullable, primary, reference, type TableOf, text } from './columns.ts'

/** A login to the console. */
export const consoleSessionColumns = {
  /** Digest of the token that the browser has. */
  token_hash: primary(text()),
  /** Merchant; null for the administrator. */
  merchant_id: nullable(reference('merchants')),
  /** Digest of the password's hash, or of the key, that it began with. */
  proof: text(),
  /** Epoch milliseconds of the machine. */
  expires_at: moment(),
}

export type ConsoleSessionTable = TableOf<typeof consoleSessionColumns>
