import { configure, type ServedConfig } from 'mondido-js'

/** The part of an order that the page gets. */
export interface Order {
  readonly state: 'open' | 'paid'
  /** The goods, with the amount of each row. */
  readonly cart: readonly {
    readonly name: string
    readonly quantity: number
    readonly amount: number
  }[]
  /** Fields of the payment, with the hash that the server made. */
  readonly fields: Readonly<Record<string, string>> & { readonly payment_ref: string }
  /** Merchant, public key and addresses of the payment service. */
  readonly library: ServedConfig
}

/** Formats an amount in the order's currency, by default the order's own, such as `SEK 246.00`. */
export const money = ({ fields: { amount, currency } }: Order, sum = Number(amount)): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(sum)

/** Opens the order in the page's address, for example after a reload, or a new order. */
export async function openOrder(): Promise<Order> {
  const paymentRef = new URLSearchParams(location.search).get('order')
  const order = paymentRef ? await readOrder(paymentRef) : await ask('/orders', { method: 'POST' })
  configure(order.library)
  history.replaceState(null, '', `?order=${order.fields.payment_ref}`)
  return order
}

/** Reads an order from the shop's server, which asks the payment service whether it is paid. */
export const readOrder = (paymentRef: string): Promise<Order> =>
  ask(`/orders/${encodeURIComponent(paymentRef)}`)

async function ask(path: string, init?: RequestInit): Promise<Order> {
  const answer = await fetch(path, init)
  if (!answer.ok) throw new Error(`${path} returned status ${answer.status}`)
  return answer.json()
}
