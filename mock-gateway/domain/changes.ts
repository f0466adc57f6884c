/**
 * What people may be looking at: lists of the console by the names that their addresses have, and
 * all else as `data`. `sessions`: nobody is told, but who looks on may be logged in no longer.
 */
export type Topic = 'transactions' | 'requests' | 'webhooks' | 'mails' | 'data' | 'sessions'

/** Something is not as it was. What it is now, whoever may see it reads where it is kept. */
export interface Change {
  /**
   * Whose it is; null: nobody's, which only who sees all is told; `everybody`: such as the clock of
   * all.
   */
  readonly merchantId: number | null | 'everybody'
  readonly topic: Topic
  /** The id under which the console shows it; undefined for `data`. */
  readonly id?: number | string | undefined
}

/**
 * Hears of a change at once: after it is committed, in the turn in which it was told. It must not
 * throw, and not wait.
 */
type ChangeListener = (change: Change) => void

/**
 * Tells who looks on what this gateway does. Nothing is kept of it, and where nobody listens it
 * costs nothing.
 */
export interface Changes {
  publish(change: Change): void
  /**
   * @param whose a merchant's id, who hears of its own and of what concerns everybody; `all`: of
   *   everything
   * @returns ends it
   */
  subscribe(whose: number | 'all', listener: ChangeListener): () => void
}

export function createChanges(): Changes {
  const listeners = new Map<number | 'all', Set<ChangeListener>>()
  const tell = (whose: number | 'all', change: Change) => {
    for (const listener of listeners.get(whose) ?? []) listener(change)
  }
  return {
    publish(change) {
      if (listeners.size === 0) return
      const { merchantId } = change
      if (merchantId === 'everybody') for (const whose of listeners.keys()) tell(whose, change)
      else {
        tell('all', change)
        if (merchantId !== null) tell(merchantId, change)
      }
    },
    subscribe(whose, listener) {
      const all = listeners.get(whose) ?? new Set()
      listeners.set(whose, all.add(listener))
      return () => {
        all.delete(listener)
        if (all.size === 0 && listeners.get(whose) === all) listeners.delete(whose)
      }
    },
  }
}
