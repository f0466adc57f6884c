import { readFileSync } from 'node:fs'
import { transformWithOxc } from 'vite'
import { expect, test, vi } from 'vitest'
import { createMondido } from '../../sdk/index.ts'

type Props = Record<string, unknown> | null

/** Creates the element of a JSX tag, like React at the first rendering. */
function createElement(tag: string, props: Props, ...children: readonly unknown[]): HTMLElement {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(props ?? {}))
    if (name === 'ref') Object.assign(value as object, { current: element })
    else if (name !== 'key') element.setAttribute(name.toLowerCase(), String(value))
  element.append(...(children.flat() as (string | Node)[]))
  return element
}

test('the React component of docs/start/react-and-vite.md shows what the library reports, and releases its form', async () => {
  const [, source = ''] =
    /^```jsx\n(.*?)^```$/ms.exec(readFileSync('docs/start/react-and-vite.md', 'utf8')) ?? []
  const { code } = await transformWithOxc(source, 'Checkout.jsx', {
    jsx: { runtime: 'classic', pragma: 'createElement' },
  })
  const body = code.replace(/^import .*$/gm, '').replace('export function', 'return function')
  const effects: (() => () => void)[] = []
  const setMessage = vi.fn()
  const react = {
    useRef: () => ({ current: null }),
    useState: (message: string) => [message, setMessage],
    useEffect: (effect: () => () => void) => effects.push(effect),
  }
  const names = ['createMondido', 'createElement', ...Object.keys(react)]
  const Checkout = new Function(...names, body)(
    createMondido,
    createElement,
    ...Object.values(react),
  )

  const form: HTMLFormElement = Checkout({ order: { payment_ref: 'A1', amount: '10.00' } })
  document.body.append(form)
  const [unmount] = effects.map((effect) => effect())
  const field = form.querySelector<HTMLInputElement>('[name=payment_ref]')
  expect([field?.type, field?.value]).toEqual(['hidden', 'A1'])

  form.requestSubmit()
  await vi.waitFor(() =>
    expect(setMessage).toHaveBeenCalledWith(expect.stringMatching(/^[A-Z].{10}/)),
  )

  setMessage.mockClear()
  unmount?.()
  form.addEventListener('submit', (event) => event.preventDefault())
  form.requestSubmit()
  await new Promise((resolve) => setTimeout(resolve))
  expect(setMessage).not.toHaveBeenCalled()
})
