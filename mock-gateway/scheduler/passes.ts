/** Runs a task in passes, one at a time. */
export interface PassRunner {
  /**
   * Requests a pass; it starts now if none is running. @returns a promise of the end of a pass that
   * started after this call
   */
  request(): Promise<void>
  /** Resolves when all requested passes have ended. */
  whenRequestedDone(): Promise<void>
  /** Resolves when the running pass has ended. */
  whenCurrentDone(): Promise<void>
}

/** Combines requests: all requests during a pass share the next one. */
export function createPassRunner(pass: () => Promise<void>): PassRunner {
  let current: Promise<void> | undefined
  let next: Promise<void> | undefined

  function begin(): Promise<void> {
    next = undefined
    current = pass().finally(() => {
      if (!next) current = undefined
    })
    return current
  }

  return {
    request() {
      if (!current) return begin()
      next ??= current.then(begin, begin)
      return next
    },
    whenRequestedDone: async () => next ?? current,
    whenCurrentDone: async () => current,
  }
}
