/**
 * Counts the restores from snapshots in this process. Data that were read before a restore must not
 * be written after it, because ids are used again.
 */
export interface Restores {
  /** Number of restores that replaced a merchant's data. */
  countOf(merchantId: number): number
  /** Number of all restores. */
  count(): number
  /** @param merchantId undefined: all merchants */
  add(merchantId: number | undefined): void
}

export function createRestores(): Restores {
  const ofMerchant = new Map<number, number>()
  let ofAll = 0
  let count = 0
  return {
    countOf: (merchantId) => ofAll + (ofMerchant.get(merchantId) ?? 0),
    count: () => count,
    add(merchantId) {
      count += 1
      if (merchantId === undefined) ofAll += 1
      else ofMerchant.set(merchantId, (ofMerchant.get(merchantId) ?? 0) + 1)
    },
  }
}
