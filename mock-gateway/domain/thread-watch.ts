/**
 * Who is at work on a thread: whoever began a turn last before all others had to wait is the one.
 */
export interface ThreadWatch<Who> {
  /** @param who undefined: nobody goes on */
  begin(who: Who | undefined): void
  /** What begins a turn of somebody whenever it is called. */
  of(who: Who): () => void
}

/**
 * @param limit milliseconds that a turn may take
 * @param tell what took longer, in milliseconds, and whose turn it was
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
