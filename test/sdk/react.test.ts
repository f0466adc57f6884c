import { act, createElement, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { useMondido } from '../../sdk/react.ts'

test('useMondido calls the handlers of the last rendering, and releases the form', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const failed = vi.fn()
  let rename: (name: string) => void = () => undefined
  function Checkout() {
    const [name, setName] = useState('first')
    rename = setName
    const form = useMondido({ type: 'ajax', error: ({ code }) => failed(name, code) })
    return createElement('form', { ref: form })
  }
  const root = createRoot(document.body.appendChild(document.createElement('main')))
  await act(() => root.render(createElement(Checkout)))
  await act(() => rename('second'))
  const form = document.querySelector('main form') as HTMLFormElement
  form.requestSubmit()
  await vi.waitFor(() =>
    expect(failed.mock.calls).toEqual([['second', 'form.no_encrypted_fields']]),
  )

  await act(() => root.unmount())
  expect(form.hasAttribute('data-mondido-state')).toBe(false)
})
