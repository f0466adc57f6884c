let latest = { second: Number.NaN, text: '' }

/**
 * ISO 8601 UTC to the second, as every time on the wire (observed: 7.1). Most times of one answer
 * are of one second.
 */
export function wireTime(epochMs: number): string {
  const second = Math.floor(epochMs / 1000)
  if (second !== latest.second)
    latest = { second, text: `${new Date(epochMs).toISOString().slice(0, 19)}Z` }
  return latest.text
}
