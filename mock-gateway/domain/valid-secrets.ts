/** A secret, or the hash of a password, that a rotation replaced. */
export interface ReplacedSecret {
  readonly value: string | null
  /** Epoch milliseconds, exclusive: end of its validity. */
  readonly until: number | null
}

/**
 * Lists the valid secrets at a moment: the current one, and the replaced one until its validity
 * ends.
 * @param now epoch milliseconds
 */
export const validAt = (
  now: number,
  current: string,
  { value, until }: ReplacedSecret,
): readonly string[] => (value !== null && now < (until ?? 0) ? [current, value] : [current])
