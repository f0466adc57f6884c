let latest = { second: Number.NaN, text: '' }

/**
 * Formats ISO 8601 UTC to the second, as in all responses (observed: 7.1). The last result is
 * cached, because most times in a response are equal.
 */
export function formatWireTime(epochMs: number): string {
  const second = Math.floor(epochMs / 1000)
  if (second !== latest.second)
    latest = { second, text: `${new Date(epochMs).toISOString().slice(0, 19)}Z` }
  return latest.text
}
