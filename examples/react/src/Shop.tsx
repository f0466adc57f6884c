import { use, useState } from 'react'
import { Cart } from './Cart.tsx'
import { Checkout } from './Checkout.tsx'
import { type Order, readOrder } from './order.ts'

/** Basket, checkout and receipt of one order. */
export function Shop({ opened }: { readonly opened: Promise<Order> }) {
  const [order, setOrder] = useState(use(opened))
  const [view, setView] = useState<'basket' | 'checkout'>('checkout')
  const { payment_ref } = order.fields

  if (order.state === 'paid')
    return (
      <section className="card" id="receipt">
        <h1>Thank you!</h1>
        <p>
          Your order is paid: <strong id="order-number">{payment_ref}</strong>.
        </p>
        <a className="button" href="/">
          New order
        </a>
      </section>
    )
  if (view === 'checkout')
    return (
      <>
        <section className="card cart">
          <h2>Your order</h2>
          <Cart order={order} />
        </section>
        <Checkout order={order} onChange={setOrder} onLeave={() => setView('basket')} />
      </>
    )

  // The payer may have left during a payment, so the server is asked first.
  const checkOut = async () => {
    setOrder(await readOrder(payment_ref))
    setView('checkout')
  }
  return (
    <section className="card" id="basket">
      <h1>Your basket</h1>
      <Cart order={order} />
      <button type="button" onClick={checkOut}>
        Check out
      </button>
    </section>
  )
}
