/** Rule for how long the first calls wait for others. */
interface BatchRule {
  /** Whether so many are enough, or all that are to be expected: they are answered at once. */
  readonly areEnough: (count: number) => boolean
  /** Milliseconds that the first waits at the most. */
  readonly within: number
}

const SAME_MOMENT: BatchRule = { areEnough: () => true, within: 0 }

/**
 * Lets those who ask for one thing each at the same moment, or soon after each other, be answered
 * by one call for all.
 * @param work gives an answer for each, in their order; what it throws, all are told
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
      clearTimeout(next?.late)
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
    else next.late ??= setTimeout(next.begin, within)
    return (await answers)[place] as Answer
  }
}
