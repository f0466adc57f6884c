import { type Addresses, ownAddresses } from '../domain/addresses.ts'
import { GatewayError } from '../domain/errors/errors.ts'
import {
  AMOUNT_TOO_LARGE,
  type Hundredths,
  looseAmount,
  parseAmount,
} from '../domain/money/money.ts'
import { checkReturnUrl, type ReturnUrl } from '../domain/order/urls.ts'
import { withoutUndefined } from '../domain/without-undefined.ts'
import type { NewTransactionRow } from '../storage/tables/transactions.ts'
import { type CallParameters, text } from './parameters/parameters.ts'

/**
 * Reads the amount of an order: stored as sent, in any format, unless it is missing, negative or too
 * large for every payment.
 * @throws errors.amount.missing (108), errors.amount.invalid (109)
 */
export function readAmount(sent: CallParameters<'amount'>): string {
  const amount = text(sent, 'amount')
  const parsed = parseAmount(amount)
  if (amount === undefined || (!parsed.ok && parsed.problem === 'negative'))
    throw new GatewayError('errors.amount.missing', {
      explain: 'amount is missing or negative. Send an amount such as 10.00.',
    })
  if (!parsed.ok && parsed.problem === 'range')
    throw new GatewayError('errors.amount.invalid', { explain: AMOUNT_TOO_LARGE })
  return amount
}

/** Parameters of an order that are stored as they are read, in the column of the same name. */
export const STORED_FIELDS = ['vat_amount'] as const

/**
 * Reads the sent ones of `STORED_FIELDS`, for a new transaction or an update.
 * @throws the errors of `readVatAmount`
 */
export const readStoredFields = (
  sent: CallParameters<(typeof STORED_FIELDS)[number]>,
): Partial<NewTransactionRow> =>
  withoutUndefined({
    vat_amount: readVatAmount(sent),
  })

/**
 * Accepts `0`, `0.00` and unformatted floats, which clients send (observed: 2.3). @throws
 * errors.amount.invalid (109)
 */
function readVatAmount(sent: CallParameters<'vat_amount'>): Hundredths | undefined {
  const written = text(sent, 'vat_amount')
  const vatAmount = written === undefined ? undefined : looseAmount(written)
  if (written !== undefined && vatAmount === undefined)
    throw new GatewayError('errors.amount.invalid', {
      explain: 'vat_amount must be a decimal number such as 2.50.',
    })
  return vatAmount
}

/**
 * Reads an address that the payer is sent back to.
 * @param needed reason why it is required; undefined if it is optional
 * @throws errors.success_url.* and errors.error_url.*: `.missing` and the errors of
 *   `checkReturnUrl`
 */
export function readReturnUrl<Which extends ReturnUrl>(
  sent: CallParameters<Which>,
  which: Which,
  addresses: Addresses,
  needed: string | undefined,
): string | undefined {
  const url = text(sent, which)
  if (url !== undefined) return checkReturnUrl(url, which, { own: ownAddresses(addresses) })
  if (needed !== undefined)
    throw new GatewayError(`errors.${which as ReturnUrl}.missing`, {
      explain: `${which} is missing. It is ${needed}.`,
    })
  return undefined
}
