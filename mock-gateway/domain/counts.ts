/** Labels of a counted event, such as its route and status. */
export type Labels = Readonly<Record<string, string>>

/** Count and total duration of events of one kind since the process started. */
export interface Counts {
  /** @param seconds duration of the event */
  add(labels: Labels, seconds: number): void
  rows(): readonly CountRow[]
}

interface CountRow {
  readonly labels: Labels
  readonly count: number
  readonly seconds: number
}

/**
 * Counts by labels. The number of combinations is limited by the number of routes, so nothing is
 * deleted.
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
