import type { Addresses } from '../../domain/addresses.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import { shownVersion } from '../../payments/on-page.ts'
import { isFromForeignPage } from '../http/boundary.ts'
import { exchangeOf } from '../http/exchange.ts'
import type { PaymentVisit } from './visit.ts'

/**
 * Tells a form that a foreign page has sent to the address of a payment, which shows the page then
 * and does nothing. Ours are known by their origin or, in a frame that has none, by the version
 * that they bring. No cookie is needed, since the address is the secret: whoever knows it can open
 * the page and read that version.
 */
export function foreignForms({ pay }: Addresses): (visit: PaymentVisit) => boolean {
  // Our pages tell nobody where they are, so on plain http their own forms come from `null`.
  const own = new Set([new URL(pay).origin, 'null'])
  return ({ response, row }) => {
    const { headers } = response.req
    // A merchant's own page brings no version, in a frame without an origin either.
    const isOwnPage = row.template_id !== null && headers.origin === 'null'
    const isOurs = text(exchangeOf(response).parameters, 'version') === shownVersion(row)
    return !isOurs && !isOwnPage && isFromForeignPage(response.req, own)
  }
}
