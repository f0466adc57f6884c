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
  /** @param capture whether the handler runs before those of inner elements */
  listen(
    target: EventTarget,
    type: string,
    handler: (event: Event) => void,
    capture?: boolean,
  ): void
  end(): void
}

/** Creates a scope. Ending it twice is harmless; each function runs even if others fail. */
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
    listen(target, type, handler, capture) {
      target.addEventListener(type, handler, capture)
      scope.add(() => target.removeEventListener(type, handler, capture))
    },
    end() {
      isOver = true
      for (const undo of [...undos].reverse()) guard(undo)
      undos.clear()
    },
  }
  return scope
}
