/** Page in React, with a form action as in React 19, and controlled inputs in a fieldset that is disabled while it pays. */
import { configure, createMondido, type MondidoOptions } from 'mondido-js'
import { useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** What the test gives the page. */
interface Given {
  readonly config: Parameters<typeof configure>[0]
  readonly options: MondidoOptions
  readonly fields: Readonly<Record<string, string>>
  readonly card: readonly string[]
  readonly isNamed: boolean
  /** The form has an action; otherwise it is disabled from `submit` on. */
  readonly hasAction: boolean
}

function Checkout({ given }: { readonly given: Given }) {
  const { options, fields, card, isNamed, hasAction } = given
  const form = useRef<HTMLFormElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  useEffect(() => {
    if (!form.current) return
    const payment = createMondido(form.current, options)
    return () => payment.destroy()
  }, [options])
  const send = (data: FormData) =>
    void fetch('/order', {
      method: 'POST',
      body: new URLSearchParams([...data] as [string, string][]),
    })
  return (
    <form
      id="pay"
      ref={form}
      {...(hasAction ? { action: send } : { onSubmit: () => setBusy(true) })}
    >
      <fieldset disabled={isBusy}>
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} name={name} value={value} readOnly />
        ))}
        {card.map((name) => (
          <input
            key={name}
            data-encrypt-attribute={name}
            name={isNamed ? name : undefined}
            value={typed[name] ?? ''}
            onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
          />
        ))}
        <button type="submit">Pay</button>
      </fieldset>
    </form>
  )
}

const root = document.querySelector('#root') as HTMLElement
const given: Given = JSON.parse(root.dataset.given ?? '')
configure(given.config)
createRoot(root).render(<Checkout given={given} />)
