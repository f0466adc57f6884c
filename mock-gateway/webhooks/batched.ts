import { timers } from '../domain/timers.ts'

/** Decides the waiting time of the first call of a batch. */
interface BatchRule {
  /** Returns true if the batch is large enough to run now. */
  readonly areEnough: (count: number) => boolean
  /** Longest wait of the first call, in milliseconds. */
  readonly within: number
}

const SAME_MOMENT: BatchRule = { areEnough: () => true, within: 0 }

/**
 * Combines calls made at the same moment, or soon after each other, into batches.
 * @param work returns a result for each call, in the same order; an error rejects all calls
 */
export function createBatcher<One, Answer>(
  work: (all: readonly One[]) => Promise<readonly Answer[]>,
  { areEnough, within }: BatchRule = SAME_MOMENT,
) {
  let waiting: One[] = []
  let next:
    | {
        readonly answers: Promise<readonly Answer[]>
        readonly begin: () => void
        late?: NodeJS.Timeout
      }
    | undefined

  function open() {
    const { promise, resolve: begin } = Promise.withResolvers<void>()
    const answers = promise.then(() => {
      timers.clearTimeout(next?.late)
      const all = waiting
      waiting = []
      next = undefined
      return work(all)
    })
    return { answers, begin }
  }

  return async (one: One): Promise<Answer> => {
    const place = waiting.push(one) - 1
    next ??= open()
    const { answers } = next
    if (areEnough(waiting.length)) next.begin()
    else next.late ??= timers.setTimeout(next.begin, within)
    return (await answers)[place] as Answer
  }
}
