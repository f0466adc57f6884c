/** Page in React, with a form action as in React 19, and controlled inputs in a fieldset that is disabled while it pays. */
import { configure } from 'mondido-js'
import { useMondido } from 'mondido-js/react'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { given, root } from './given.ts'

function Checkout() {
  const { options, fields, card, isNamed, hasAction } = given
  const form = useMondido(options)
  const [isBusy, setBusy] = useState(false)
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
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

configure(given.config)
createRoot(root).render(<Checkout />)
