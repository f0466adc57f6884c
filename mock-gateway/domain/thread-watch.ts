/** Tracks which caller is working on a thread, to name the one that blocked it. */
export interface ThreadWatch<Who> {
  /** @param who undefined: none */
  begin(who: Who | undefined): void
  /** Returns a function that marks the start of the caller's turn. */
  of(who: Who): () => void
}

/**
 * @param limit maximum duration of a turn, in milliseconds
 * @param tell receives the duration of a longer turn in milliseconds, and its caller
 */
export function createThreadWatch<Who>(
  clock: Pick<Performance, 'now'>,
  limit: number,
  tell: (milliseconds: number, who: Who | undefined) => void,
): ThreadWatch<Who> {
  let began = clock.now()
  let working: Who | undefined
  function begin(who: Who | undefined): void {
    const now = clock.now()
    if (now - began > limit) tell(now - began, working)
    began = now
    working = who
  }
  return { begin, of: (who) => () => begin(who) }
}
