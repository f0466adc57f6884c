import { GatewayError } from '../../domain/errors/errors.ts'
import { parsePayerNumber, payerNumber } from '../../domain/payer/invoice-payer.ts'
import { payerProblems } from '../../domain/payer/page-fields.ts'
import type { SentPaymentDetails } from '../../domain/payer/payment-details.ts'
import { type InvoiceCountry, invoiceCountry } from '../../domain/payer/personal-numbers.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { type FormProblem, fieldProblem } from './problems.ts'
import { findAddress } from './ssn.ts'

/** State of the invoice form. */
export interface InvoiceForm {
  /** Current step: the payer, or the address if no register knows it. */
  readonly step: 'payer' | 'address'
  /** Known details: typed here, or sent by the merchant. */
  readonly known: SentPaymentDetails
  /** From the register or the merchant; null if the payer has to type it. */
  readonly found: SentPaymentDetails | null
  readonly problems: readonly FormProblem[]
  /** All details of an invoice are known. */
  readonly isComplete: boolean
}

const ADDRESS_FIELDS = ['first_name', 'last_name', 'address_1', 'zip', 'city'] as const

/**
 * @param typed the payer's input
 * @param sent the step of the submitted form; undefined when the page is opened
 */
export function invoiceForm(
  row: TransactionRow,
  typed: SentPaymentDetails,
  sent?: string,
): InvoiceForm {
  // The merchant's number of the payer is not shown to every visitor of the page.
  const { personal_number: _, ssn: __, ...merchants } = row.payment_details ?? {}
  const country_code = invoiceCountry(typed.country_code ?? merchants.country_code ?? '') ?? 'SWE'
  const known: SentPaymentDetails = { ...merchants, ...typed, country_code }
  if (sent === undefined)
    return { step: 'payer', known, found: null, problems: [], isComplete: false }
  const number = payerNumber(known)
  const wrong = findNumberRefusal(number, country_code, known.segmentation)
  const found = wrong ? null : lookUpAddress(row, number, country_code)
  const step = wrong || found ? 'payer' : 'address'
  // Fields of later steps are not wrong yet.
  const fields = [
    'email',
    'phone',
    ...(step === 'address' && sent === 'address' ? ADDRESS_FIELDS : []),
  ] as const
  const problems = [
    ...payerProblems(fields, known).map(fieldProblem),
    ...(wrong ? [{ field: 'personal_number', refusal: wrong }] : []),
  ]
  const isComplete = problems.length === 0 && (found !== null || sent === 'address')
  return { step, known, found, problems, isComplete }
}

/** Returns the error of the payer's number; undefined if it is valid. */
function findNumberRefusal(
  number: string | undefined,
  country: InvoiceCountry,
  segmentation: string | undefined,
): GatewayError | undefined {
  if (number === undefined)
    return new GatewayError('errors.personal_number.missing', {
      explain: 'The payer entered no personal number.',
    })
  const kind = segmentation?.toLowerCase() === 'b2b' ? 'b2b' : 'b2c'
  const parsed = parsePayerNumber(number, country, kind)
  return parsed.ok ? undefined : parsed.refusal
}

/** Returns the address from the register or the merchant; null if neither has it. */
function lookUpAddress(
  row: TransactionRow,
  number: string | undefined,
  country: InvoiceCountry,
): SentPaymentDetails | null {
  const found = findAddress(row, number, country)
  if (!found.ok) return null
  const { address_2, ...address } = found.address
  return { ...address, ...(address_2 !== null && { address_2 }) }
}
