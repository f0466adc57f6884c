/** Work that is done in passes, one at a time. */
export interface PassRunner {
  /**
   * Begins a pass, at once where none is under way. @returns the end of the one that began after
   * this call
   */
  request(): Promise<void>
  /** The end of what has been asked for so far. */
  whenRequestedDone(): Promise<void>
  /** The end of what is under way. */
  whenCurrentDone(): Promise<void>
}

/** Whoever asks while a pass is under way is answered by the next. */
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
