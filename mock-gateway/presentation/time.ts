/** ISO 8601 UTC to the second, as every time on the wire (observed: 7.1). */
export const wireTime = (epochMs: number): string => `${new Date(epochMs).toISOString().slice(0, 19)}Z`
