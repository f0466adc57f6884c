import { useMondido } from 'mondido-js/react'
import { useState } from 'react'
import { money, type Order, readOrder } from './order.ts'

interface CheckoutProps {
  readonly order: Order
  readonly onChange: (order: Order) => void
  readonly onLeave: () => void
}

/** Texts of the payer's problem that only the shop's server can solve. */
const UNKNOWN = 'We do not know yet whether you have paid. Reload the page before you pay again.'

export function Checkout({ order, onChange, onLeave }: CheckoutProps) {
  const { fields } = order
  const [message, setMessage] = useState('')

  /** The server decides whether the order is paid, whatever the browser received. */
  const refresh = () => readOrder(fields.payment_ref).then(onChange, () => setMessage(UNKNOWN))

  const form = useMondido({
    type: 'ajax',
    success: () => void refresh(),
    error({ name, description, outcome }) {
      setMessage(description)
      const isPaid = name === 'errors.payment_ref.processed'
      if (isPaid || outcome === 'unknown' || outcome === 'pending') void refresh()
    },
  })

  return (
    <>
      <section className="card" id="checkout">
        <h1>Pay by card</h1>
        <form id="payment" method="post" ref={form} onSubmit={() => setMessage('')}>
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} readOnly />
          ))}
          {/* Uncontrolled and without names: React never has a card number in its state. */}
          <label htmlFor="card-holder">Name on the card</label>
          <input
            id="card-holder"
            data-encrypt-attribute="card_holder"
            autoComplete="cc-name"
            required
          />
          <label htmlFor="card-number">Card number</label>
          <input
            id="card-number"
            data-encrypt-attribute="card_number"
            autoComplete="cc-number"
            inputMode="numeric"
            required
          />
          <div className="pair">
            <div>
              <label htmlFor="card-expiry">
                Expires <small>MM/YY</small>
              </label>
              <input
                id="card-expiry"
                data-encrypt-attribute="card_expiry"
                autoComplete="cc-exp"
                inputMode="numeric"
                required
              />
            </div>
            <div>
              <label htmlFor="card-cvv">
                Security code <small>3 or 4 digits</small>
              </label>
              <input
                id="card-cvv"
                data-encrypt-attribute="card_cvv"
                autoComplete="cc-csc"
                inputMode="numeric"
                required
              />
            </div>
          </div>
          <p id="message" className="message" role="alert">
            {message}
          </p>
          <button type="submit">Pay {money(order)}</button>
          <p>
            <button type="button" className="minor" onClick={onLeave}>
              Back to the basket
            </button>
          </p>
        </form>
      </section>
      <aside className="card" id="test-cards">
        <h2>Test cards</h2>
        <p>No money moves. Pay with 4111 1111 1111 1111, any future date and 200.</p>
        <p>Code 201 is declined. Card 4000 0000 0000 1091 asks the bank, where 1234 is right.</p>
      </aside>
    </>
  )
}
