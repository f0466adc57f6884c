import {
  integer,
  moment,
  nullable,
  primary,
  type RowOf,
  reference,
  type TableOf,
  text,
} from './columns.ts'

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

/**
 * Failed logins in a row of one user name from one address, whether a merchant has that name or
 * not.
 */
export const loginFailureColumns = {
  /** See `describeLogin`. */
  username: primary(text()),
  failures: integer(),
  /** End of the lock; null while fewer than the limit have failed. */
  locked_until: nullable(moment()),
  updated_at: moment(),
}

export type LoginFailureRow = RowOf<typeof loginFailureColumns>
