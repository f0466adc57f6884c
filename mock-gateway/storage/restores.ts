/**
 * Counts the restores from snapshots in this process. Data that were read before a restore must not
 * be written after it, because ids are used again.
 */
export interface Restores {
  count(): number
  add(): void
}

export function createRestores(): Restores {
  let count = 0
  return {
    count: () => count,
    add() {
      count += 1
    },
  }
}
