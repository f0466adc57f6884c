import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers'

/** Process that scheduled a call. Calls of a dead process are dropped. */
export interface Owner {
  readonly name: string
  readonly isDead: boolean
}

/** Scheduled call. */
export interface Coming {
  readonly at: number
  cancel(): void
}

interface Event extends Coming {
  readonly order: number
  readonly owner: Owner | undefined
  readonly call: () => void
  isCancelled: boolean
}

/** Scheduler of simulated time, which advances only when all earlier work is done. */
export interface Scheduler {
  /** Returns the milliseconds since the run began. */
  now(): number
  /** Schedules a call. Calls at the same time run in the order of scheduling. */
  after(milliseconds: number, call: () => void, owner?: Owner): Coming
  sleep(milliseconds: number, owner?: Owner): Promise<void>
  /**
   * Lets time pass until work has ended.
   * @throws Error if no scheduled call remains that could end it
   */
  until<T>(work: Promise<T>): Promise<T>
  /** Records an event. Two runs are equal if they record the same events. */
  note(line: string): void
  /** Returns a digest of all recorded events, with time and process. */
  digest(): string
  /** Returns the number of events so far. */
  events(): number
}

/** Functions of the real machine, before the simulation replaces it. */
const realImmediate = setImmediate

/** Resolves when all promises and ticks that follow from the last call are done. */
const settled = () => new Promise<void>((resolve) => void realImmediate(resolve))

/**
 * Creates a scheduler.
 * @param enter runs a call as its owner
 * @param rest resolves when no other program works for the run
 */
export function createScheduler(
  enter: (owner: Owner | undefined, call: () => void) => void,
  rest: () => Promise<void> | undefined = () => undefined,
): Scheduler {
  const queue = createQueue()
  const trace = createHash('sha256')
  let now = 0
  let order = 0
  let happened = 0

  function after(milliseconds: number, call: () => void, owner?: Owner): Coming {
    const at = now + Math.max(0, milliseconds)
    const event: Event = {
      at,
      order: order++,
      owner,
      call,
      isCancelled: false,
      cancel() {
        event.isCancelled = true
      },
    }
    queue.add(event)
    return event
  }

  const note = (line: string) => void trace.update(`${now} ${line}\n`)

  return {
    now: () => now,
    after,
    sleep: (milliseconds, owner) =>
      new Promise((resolve) => void after(milliseconds, resolve, owner)),
    async until(work) {
      let isOver = false
      const over = () => {
        isOver = true
      }
      work.then(over, over)
      for (;;) {
        await settled()
        await rest()
        if (isOver) return work
        let event = queue.take()
        while (event && (event.isCancelled || event.owner?.isDead)) event = queue.take()
        if (!event) throw new Error('Nothing is left to happen, and somebody waits')
        now = event.at
        happened += 1
        note(event.owner?.name ?? '')
        enter(event.owner, event.call)
      }
    },
    note,
    digest: () => trace.copy().digest('hex'),
    events: () => happened,
  }
}

/** Creates a queue that returns the earliest call first. It is a binary heap. */
function createQueue() {
  const heap: Event[] = []
  const isBefore = (one: Event, other: Event) =>
    one.at < other.at || (one.at === other.at && one.order < other.order)
  const at = (index: number) => heap[index] as Event

  function swap(one: number, other: number) {
    const kept = at(one)
    heap[one] = at(other)
    heap[other] = kept
  }

  return {
    add(event: Event) {
      let index = heap.push(event) - 1
      for (
        let parent = (index - 1) >> 1;
        index > 0 && isBefore(at(index), at(parent));
        parent = (index - 1) >> 1
      ) {
        swap(index, parent)
        index = parent
      }
    },
    take(): Event | undefined {
      const [first] = heap
      const last = heap.pop()
      if (!first || !last || heap.length === 0) return first
      heap[0] = last
      for (let index = 0; ; ) {
        const [left, right] = [2 * index + 1, 2 * index + 2]
        let least = index
        if (left < heap.length && isBefore(at(left), at(least))) least = left
        if (right < heap.length && isBefore(at(right), at(least))) least = right
        if (least === index) return first
        swap(index, least)
        index = least
      }
    },
  }
}
