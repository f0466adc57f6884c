/**
 * Reads when somebody first asks, and remembers what was read; a reading that failed is tried again
 * the next time.
 */
export function readOnce<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined
  return () => {
    if (reading === undefined) {
      reading = read()
      reading.catch(() => {
        reading = undefined
      })
    }
    return reading
  }
}
