/**
 * Subjects of live updates: lists of the console, by the names in their addresses, and `data` for
 * everything else. `sessions` is not shown: subscribers check whether they are still logged in.
 */
export type Topic = 'transactions' | 'requests' | 'webhooks' | 'mails' | 'data' | 'sessions'

/**
 * A notification that something changed. It has no contents: subscribers read what they are allowed
 * to see.
 */
export interface Change {
  /**
   * The owner. null: no merchant, only for subscribers of all merchants; `everybody`: for example
   * the shared clock.
   */
  readonly merchantId: number | null | 'everybody'
  readonly topic: Topic
  /** The id used by the console; undefined for `data`. */
  readonly id?: number | string | undefined
}

/** Called synchronously after the commit. It must not throw or wait. */
type ChangeListener = (change: Change) => void

/**
 * Publishes live updates of this gateway. Nothing is stored; without subscribers it costs nothing.
 */
export interface Changes {
  publish(change: Change): void
  /**
   * @param whose a merchant's id, for its own changes and those of `everybody`; `all` for every
   *   change
   * @returns a function that ends the subscription
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
