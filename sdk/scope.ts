import { guard } from './log.ts'

/** Collects the timers, listeners and requests to end together. */
export interface Scope {
  readonly isOver: boolean
  /** Adds a function to call at the end; calls it now if the scope has ended. */
  add(undo: () => void): void
  /** Runs a function after so many milliseconds, unless the scope ends first. */
  timer(milliseconds: number, run: () => void): void
  /** Returns a promise for a pause in milliseconds; it stays pending if the scope ends first. */
  pause(milliseconds: number): Promise<void>
  listen(target: EventTarget, type: string, handler: (event: Event) => void): void
  end(): void
}

/**
 * Creates a scope. Ending it twice is harmless, and an error of one function does not stop the
 * others.
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
