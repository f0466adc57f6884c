/** Work that is done in passes, one at a time. */
export interface Passes {
  /**
   * Begins a pass, at once where none is under way. @returns the end of the one that began after
   * this call
   */
  ask(): Promise<void>
  /** The end of what has been asked for so far. */
  asked(): Promise<void>
  /** The end of what is under way. */
  underWay(): Promise<void>
}

/** Whoever asks while a pass is under way is answered by the next. */
export function inPasses(pass: () => Promise<void>): Passes {
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
    ask() {
      if (!current) return begin()
      next ??= current.then(begin, begin)
      return next
    },
    asked: async () => next ?? current,
    underWay: async () => current,
  }
}
