/**
 * Lets those who ask for one thing each at the same moment be answered by one call for all of them.
 * @param work gives an answer for each, in their order; what it throws, all are told
 */
export function gathered<One, Answer>(work: (all: readonly One[]) => Promise<readonly Answer[]>) {
  let waiting: One[] = []
  let next: Promise<readonly Answer[]> | undefined

  return async (one: One): Promise<Answer> => {
    const place = waiting.push(one) - 1
    next ??= Promise.resolve().then(() => {
      const all = waiting
      waiting = []
      next = undefined
      return work(all)
    })
    return (await next)[place] as Answer
  }
}
