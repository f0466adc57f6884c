/** Reads on first use and caches the result; a failed reading is retried on the next use. */
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
