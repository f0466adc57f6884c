/**
 * Remembers what was made of each text, since making it takes long and few texts come again and
 * again. When it is full it forgets everything, so that nothing that is sent can fill the memory;
 * what throws is not remembered.
 * @param limit most texts that are remembered
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
