import { Router } from 'express'
import { findTestPerson } from '../../acquirer/test-persons.ts'
import { type ErrorName, GatewayError } from '../../domain/errors/errors.ts'
import { STATES } from '../../domain/order/states.ts'
import type { SentPaymentDetails } from '../../domain/payer/payment-details.ts'
import {
  findInvoiceCountry,
  parsePersonalNumber,
  shortenSwedishNumber,
} from '../../domain/payer/personal-numbers.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { type Parameters, text } from '../../parsing/parameters/parameters.ts'
import type { Queries } from '../../storage/tables/schema.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { findTransactionByHrefToken } from '../../storage/transactions.ts'
import { getExchange } from '../http/exchange.ts'
import { receiveParameters } from '../http/receive.ts'

/** Parameters of the look-up (observed: 11.7). */
export const ADDRESS_QUESTION_FIELDS = [
  'token',
  'transaction_id',
  'merchant_id',
  'ssn',
  'country',
] as const

/**
 * Serves `GET {pay_url}/v1/ssn`, the name and address of a personal number for the invoice step of
 * the payment page. The token of the page authenticates the payer (observed: 11.7).
 */
export function createSsnRouter(authenticator: Authenticator): Router {
  const router = Router()
  router.get('/', receiveParameters, async (_request, response) => {
    const { parameters, service } = getExchange(response)
    const row = await findPayment(service.database.db, parameters)
    const merchant = await authenticator.find(row.merchant_id)
    if (!row.test && merchant?.settings.live_cards === 'refuse')
      throw refusal(
        'errors.service_not_available',
        'This merchant rejects payments with test=false.',
      )
    response.setHeader('Cache-Control', 'no-store, private')
    const found = findAddress(row, text(parameters, 'ssn'), text(parameters, 'country'))
    if (!found.ok) throw found.refusal
    response.json({ id: row.id, address_2: null, ...found.address, country: found.country })
  })
  return router
}

/**
 * Finds the page's transaction while it can be paid. Every problem with a token gives the same
 * error.
 * @throws errors.ssn_token.failed (2090), errors.transaction.processed (153),
 *   errors.transaction.locked (1531)
 */
async function findPayment(queries: Queries, parameters: Parameters): Promise<TransactionRow> {
  const row = await findTransactionByHrefToken(queries, text(parameters, 'token'))
  const asks = (name: string, id: number) => text(parameters, name) === String(id)
  if (!row || !asks('transaction_id', row.id) || !asks('merchant_id', row.merchant_id))
    throw refusal(
      'errors.ssn_token.failed',
      'token, transaction_id and merchant_id must belong to the same payment page.',
    )
  const { payable, refusal: why } = STATES[row.status]
  if (!payable)
    throw refusal(
      why,
      `The status of the transaction is ${row.status}. An address can be looked up only before the payment.`,
    )
  return row
}

/**
 * Finds an address: test persons have the one of their row; all others, and all with test=false,
 * the one that the merchant sent, if any (our decision).
 * @returns the address, or one of the errors errors.ssn_or_country.missing (209),
 *   errors.missing_or_invalid.country_code (220), errors.helper.ssn.invalid_format (238),
 *   errors.invoice.address_not_found (265)
 */
export function findAddress(row: TransactionRow, ssn?: string, sentCountry?: string) {
  const refuse = (name: ErrorName, explain: string) =>
    ({ ok: false, refusal: refusal(name, explain) }) as const
  if (ssn === undefined || sentCountry === undefined)
    return refuse(
      'errors.ssn_or_country.missing',
      'Send ssn (a personal number) and country (SWE, NOR or FIN).',
    )
  const country = findInvoiceCountry(sentCountry)
  if (country === undefined)
    return refuse('errors.missing_or_invalid.country_code', 'country must be SWE, NOR or FIN.')
  const number =
    parsePersonalNumber(country, ssn) ?? (country === 'SWE' ? shortenSwedishNumber(ssn) : undefined)
  if (number === undefined)
    return refuse(
      'errors.helper.ssn.invalid_format',
      `ssn is not a valid personal number of ${country}. Check its check digits.`,
    )
  const person = row.test ? findTestPerson(country, number) : undefined
  const found = person ? person.registered : presentAddress(row.payment_details ?? {})
  return found
    ? ({ ok: true, address: found, country } as const)
    : refuse(
        'errors.invoice.address_not_found',
        'The register of this country does not contain the number.',
      )
}

function presentAddress(sent: SentPaymentDetails): SentPaymentDetails | null {
  const { first_name, last_name, address, address_1 = address, address_2, zip, city } = sent
  return first_name && last_name && address_1 && zip && city
    ? { first_name, last_name, address_1, ...(address_2 && { address_2 }), zip, city }
    : null
}

const refusal = (name: ErrorName, explain: string) => new GatewayError(name, { explain })
