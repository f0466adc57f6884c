/** A login to the console. */
export interface ConsoleSessionTable {
  /** Digest of the token that the browser has. */
  token_hash: string
  /** Merchant; null for the administrator. */
  merchant_id: number | null
  /** Digest of the password's hash, or of the key, that it began with. */
  proof: string
  /** Epoch milliseconds of the machine. */
  expires_at: number
}
