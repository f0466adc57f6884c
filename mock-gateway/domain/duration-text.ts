const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/**
 * Formats a duration in its two largest units: `1 day 3 hours`, `1 min 35 s`. @param milliseconds
 * at least 0
 */
export function formatDuration(milliseconds: number): string {
  const first = UNITS.findIndex(([, size]) => milliseconds >= size)
  if (first < 0) return `${Math.round(milliseconds)} ms`
  let left = milliseconds
  const parts = UNITS.slice(first, first + 2).map(([unit, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count === 0
      ? ''
      : `${count} ${count === 1 || unit === 's' || unit === 'min' ? unit : `${unit}s`}`
  })
  return parts.filter((part) => part !== '').join(' ')
}
