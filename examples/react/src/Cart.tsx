import { money, type Order } from './order.ts'

/** The goods of an order, with its total. */
export function Cart({ order }: { readonly order: Order }) {
  return (
    <table>
      <tbody>
        {order.cart.map(({ name, quantity, amount }) => (
          <tr key={name}>
            <th scope="row">
              {name} {quantity > 1 && <span>×&nbsp;{quantity}</span>}
            </th>
            <td>{money(order, amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">
            Total <span>VAT included</span>
          </th>
          <td>{money(order)}</td>
        </tr>
      </tfoot>
    </table>
  )
}
