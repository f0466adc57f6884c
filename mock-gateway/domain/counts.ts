/** What happened to be counted, such as its route and status. */
export type Labels = Readonly<Record<string, string>>

/** How often things of one kind happened since the process began, and for how long. */
export interface Counts {
  /** @param seconds how long it took */
  add(labels: Labels, seconds: number): void
  rows(): readonly CountRow[]
}

interface CountRow {
  readonly labels: Labels
  readonly count: number
  readonly seconds: number
}

/**
 * Counts by labels, of which there may be as many as there are routes, and no more: nothing is ever
 * forgotten.
 */
export function createCounts(): Counts {
  const rows = new Map<string, { labels: Labels; count: number; seconds: number }>()
  return {
    add(labels, seconds) {
      const key = Object.values(labels).join(' ')
      const row = rows.get(key)
      if (row) {
        row.count += 1
        row.seconds += seconds
      } else rows.set(key, { labels, count: 1, seconds })
    },
    rows: () => [...rows.values()],
  }
}
