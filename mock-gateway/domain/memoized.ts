/**
 * Caches the results of an expensive function for texts that often repeat. A full cache is cleared,
 * so requests cannot fill the memory; errors are not cached.
 * @param limit maximum number of cached texts
 */
export function memoized<Value>(
  limit: number,
  make: (text: string) => Value,
): (text: string) => Value {
  const known = new Map<string, Value>()
  return (text) => {
    const remembered = known.get(text)
    if (remembered !== undefined) return remembered
    const made = make(text)
    if (known.size >= limit) known.clear()
    known.set(text, made)
    return made
  }
}

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
