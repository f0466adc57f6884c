import { tell } from '../advice/tell.ts'
import { isPromise } from '../soon.ts'
import type { MondidoController, MondidoEventExtras, MondidoEvents } from '../types.ts'

/** An event with its argument and the members of its event object. */
interface EmittedEvent {
  name: keyof MondidoEvents
  detail: unknown
  extras: MondidoEventExtras
}

/** Calls the handlers, and throws their errors. `results` are their return values, if known. */
export type Sink = (emitted: EmittedEvent) => { isPrevented: boolean; results?: readonly unknown[] }

/** Combined result of the handlers. */
interface Reaction {
  isPrevented: boolean
  /** Promises to wait for. */
  waits: readonly PromiseLike<unknown>[]
  /** Errors of the handlers. */
  thrown: readonly unknown[]
}

/** Sends an event to all handlers. Never throws: a faulty handler must not stop a payment. */
export type Emit = <Name extends keyof MondidoEvents>(
  name: Name,
  detail: MondidoEvents[Name],
  extras?: Omit<MondidoEventExtras, 'mondido' | 'waitUntil'>,
) => Reaction

const CANCELABLE: ReadonlySet<string> = new Set<keyof MondidoEvents>([
  'payment:before',
  'payment:fail',
  'mpi:blocked',
])

/**
 * Returns the name of the native event, `mondido:before` for `payment:before`. The names differ
 * because jQuery handlers would receive an event of the same name twice.
 */
const getNativeName = (name: string): string =>
  `mondido:${name.replace(/^(payment|card):/, '').replace(':', '-')}`

/**
 * Creates the emitter of a form: each event goes to every jQuery that has the form, and to native
 * listeners. The native event of a cancellable event comes first.
 */
export function createEmitter(
  form: HTMLFormElement,
  mondido: MondidoController,
  sinks: Iterable<Sink>,
): Emit {
  const twin: Sink = ({ name, detail, extras: { waitUntil } }) => {
    const event = new CustomEvent(getNativeName(name), {
      bubbles: true,
      cancelable: CANCELABLE.has(name),
      detail,
    })
    return { isPrevented: !form.dispatchEvent(Object.assign(event, { waitUntil })) }
  }
  return (name, detail, extras) => {
    const waits: PromiseLike<unknown>[] = []
    const thrown: unknown[] = []
    const waitUntil = (wait: PromiseLike<unknown>) => void waits.push(wait)
    let isPrevented = false
    for (const sink of CANCELABLE.has(name) ? [twin, ...sinks] : [...sinks, twin]) {
      try {
        const { isPrevented: isStopped, results = [] } = sink({
          name,
          detail,
          extras: { attempt: Object(detail).attempt, ...extras, mondido, waitUntil },
        })
        isPrevented ||= isStopped || results.includes(false)
        waits.push(...results.filter(isPromise))
      } catch (cause) {
        thrown.push(cause)
        tell('error', 'page.handler_failed', { event: name }, cause)
      }
    }
    return { isPrevented, waits, thrown }
  }
}
