import { guard } from './log.ts'

/** Everything that must be undone when something ends: timers, listeners, requests. */
export interface Scope {
  readonly isOver: boolean
  /** Remembers what to undo at the end; at once when it is over already. */
  add(undo: () => void): void
  /** Runs after so many milliseconds unless the scope ends first. */
  timer(milliseconds: number, run: () => void): void
  /** A promise for a pause in milliseconds; never kept when the scope ends first. */
  pause(milliseconds: number): Promise<void>
  listen(target: EventTarget, type: string, handler: (event: Event) => void): void
  end(): void
}

/**
 * A fresh scope. Ending it twice is harmless, and nothing that cannot be undone keeps the rest from
 * it.
 */
export function createScope(): Scope {
  let isOver = false
  const undos = new Set<() => void>()
  const scope: Scope = {
    get isOver() {
      return isOver
    },
    add(undo) {
      if (isOver) guard(undo)
      else undos.add(undo)
    },
    timer(milliseconds, run) {
      const undo = () => clearTimeout(timer)
      const timer = setTimeout(() => {
        undos.delete(undo)
        run()
      }, milliseconds)
      scope.add(undo)
    },
    pause: (milliseconds) => new Promise((resolve) => scope.timer(milliseconds, resolve)),
    listen(target, type, handler) {
      target.addEventListener(type, handler)
      scope.add(() => target.removeEventListener(type, handler))
    },
    end() {
      isOver = true
      for (const undo of [...undos].reverse()) guard(undo)
      undos.clear()
    },
  }
  return scope
}
