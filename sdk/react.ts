import { type RefCallback, useCallback, useEffect, useRef } from 'react'
import { createMondido } from './index.ts'
import type { MondidoController, MondidoOptions } from './types.ts'

/**
 * Pays with a form for as long as it is mounted.
 * @param options read when the form mounts; `success` and `error` are those of the last rendering
 * @returns the `ref` of the form
 * @example
 * import { useMondido } from 'mondido-js/react'
 *
 * const form = useMondido({ type: 'ajax', success: show })
 * return <form ref={form}>…</form>
 */
export function useMondido(options: MondidoOptions = {}): RefCallback<HTMLFormElement> {
  const latest = useRef(options)
  const payment = useRef<MondidoController>(null)
  useEffect(() => {
    latest.current = options
  })
  return useCallback((form: HTMLFormElement | null) => {
    payment.current?.destroy()
    payment.current =
      form &&
      createMondido(form, {
        ...latest.current,
        success: (transaction) => latest.current.success?.(transaction),
        error: (error) => latest.current.error?.(error),
      })
  }, [])
}
