import { money, type Order } from './order.ts'

/** The goods of an order, with its total. */
export function Cart({ order }: { readonly order: Order }) {
  return (
    <table>
      <tbody>
        <tr>
          <th scope="row">Coffee</th>
          <td>{money(order)}</td>
        </tr>
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td>{money(order)}</td>
        </tr>
      </tfoot>
    </table>
  )
}
