/** Bytes that wait for their turn, the first first. What holds thousands of texts costs the garbage collector nothing. */
export interface ByteQueue {
  /** How many wait. */
  readonly length: number
  /**
   * Adds one, in two parts. Where there is no room the first go; what has none by itself is left out.
   * @returns whether all have room
   */
  push(text: string, more: string | Buffer): boolean
  /** Takes the first. */
  shift(): readonly [text: string, more: string] | undefined
  /** Lets the first go unread. */
  drop(): void
}

/** Where one is: the second part begins at `middle`. */
interface Place {
  readonly start: number
  readonly middle: number
  readonly end: number
}

/** @param capacity bytes: one piece of memory, used in a circle, as large as what waits has needed up to now */
export function byteQueue(capacity: number): ByteQueue {
  let memory = Buffer.allocUnsafeSlow(Math.ceil(capacity / 8))
  let places: Place[] = []
  let free = 0

  /** Each lies behind the one before it, but for the one at which the circle begins anew. */
  function makeRoom(bytes: number): number {
    if (places.length === 0) free = 0
    const isAtEnd = free + bytes > memory.length
    const start = isAtEnd ? 0 : free
    const isInTheWay = ({ start: from, end: to }: Place) =>
      (from < start + bytes && to > start) || (isAtEnd && from >= free)
    const [first] = places
    const isTooSmall = bytes > memory.length || (first !== undefined && isInTheWay(first))
    if (isTooSmall && memory.length < capacity) {
      grow()
      return makeRoom(bytes)
    }
    while (places[0] && isInTheWay(places[0])) places.shift()
    return start
  }

  /** Takes twice the memory, with those that wait at its beginning. */
  function grow() {
    const larger = Buffer.allocUnsafeSlow(Math.min(2 * memory.length, capacity))
    free = 0
    places = places.map((place) => {
      const start = free
      free += memory.copy(larger, start, place.start, place.end)
      return { start, middle: start + place.middle - place.start, end: free }
    })
    memory = larger
  }

  return {
    get length() {
      return places.length
    },
    push(text, more) {
      const [first, second] = [Buffer.byteLength(text), Buffer.byteLength(more)]
      if (first + second > capacity) return false
      const before = places.length
      const start = makeRoom(first + second)
      const hadRoom = places.length === before
      const middle = start + first
      free = middle + second
      memory.write(text, start)
      if (typeof more === 'string') memory.write(more, middle)
      else more.copy(memory, middle)
      places.push({ start, middle, end: free })
      return hadRoom
    },
    shift() {
      const place = places.shift()
      return (
        place && [memory.toString('utf8', place.start, place.middle), memory.toString('utf8', place.middle, place.end)]
      )
    },
    drop: () => void places.shift(),
  }
}
