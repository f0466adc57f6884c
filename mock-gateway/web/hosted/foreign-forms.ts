import type { Addresses } from '../../domain/addresses.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import { shownVersion } from '../../payments/on-page.ts'
import { isFromForeignPage } from '../http/boundary.ts'
import { exchangeOf } from '../http/exchange.ts'
import type { PaymentVisit } from './visit.ts'

/**
 * Detects forms that a foreign page has posted to a payment's address: the page is then shown,
 * without effect. The gateway's own forms are recognised by their origin or, in a frame without
 * one, by the version they contain. This needs no cookie, because the address is secret.
 */
export function foreignForms({ pay }: Addresses): (visit: PaymentVisit) => boolean {
  // Pages of the gateway send no referrer, so on plain http the origin of their forms is `null`.
  const own = new Set([new URL(pay).origin, 'null'])
  return ({ response, row }) => {
    const { headers } = response.req
    // A merchant's own page contains no version.
    const isOwnPage = row.template_id !== null && headers.origin === 'null'
    const isOurs = text(exchangeOf(response).parameters, 'version') === shownVersion(row)
    return !isOurs && !isOwnPage && isFromForeignPage(response.req, own)
  }
}
