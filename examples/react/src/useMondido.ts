import { createMondido, type MondidoError, type Transaction } from 'mondido-js'
import { type RefObject, useEffect, useEffectEvent } from 'react'

interface PaymentHandlers {
  onStart(): void
  onSuccess(transaction: Transaction): void
  onFail(error: MondidoError): void
}

/** Lets the library pay with a form for as long as the form is mounted. */
export function useMondido(
  form: RefObject<HTMLFormElement | null>,
  { onStart, onSuccess, onFail }: PaymentHandlers,
): void {
  const start = useEffectEvent(onStart)
  const succeed = useEffectEvent(onSuccess)
  const fail = useEffectEvent(onFail)
  useEffect(() => {
    const element = form.current
    if (!element) return
    const mondido = createMondido(element, { type: 'ajax' })
    const listeners = new AbortController()
    const { signal } = listeners
    element.addEventListener('mondido:before', () => start(), { signal })
    element.addEventListener('mondido:success', ({ detail }) => succeed(detail), { signal })
    element.addEventListener('mondido:fail', ({ detail }) => fail(detail), { signal })
    return () => {
      listeners.abort()
      mondido.destroy()
    }
  }, [form])
}
