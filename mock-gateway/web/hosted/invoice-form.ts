import { GatewayError } from '../../domain/errors/errors.ts'
import { invoiceCountry } from '../../domain/payer/invoice-countries.ts'
import { checkInvoicePayer } from '../../domain/payer/invoice-payer.ts'
import { payerProblems } from '../../domain/payer/page-fields.ts'
import type { SentPaymentDetails } from '../../domain/payer/payment-details.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { type FormProblem, fieldProblem } from './problems.ts'
import { type FoundAddress, findAddress } from './ssn.ts'

/** What is known and asked of who gets an invoice. */
export interface InvoiceForm {
  /** What is asked: who the payer is, and the address too where no register knows it. */
  readonly step: 'payer' | 'address'
  /** What is known of the payer: typed here, or sent by the merchant. */
  readonly known: SentPaymentDetails
  /** From the register, or the merchant; null when the payer has to type it. */
  readonly found: Omit<FoundAddress, 'id' | 'country'> | null
  readonly problems: readonly FormProblem[]
  /** All is known that an invoice needs. */
  readonly isComplete: boolean
}

const ADDRESS_FIELDS = ['first_name', 'last_name', 'address_1', 'zip', 'city'] as const

/**
 * @param typed what the payer has typed
 * @param sent the step whose form was sent; undefined when the page is only opened
 */
export function invoiceForm(
  row: TransactionRow,
  typed: SentPaymentDetails,
  sent?: string,
): InvoiceForm {
  // Who opens the page is not shown the number that the merchant knows.
  const { personal_number: _, ssn: __, ...merchants } = row.payment_details ?? {}
  const country_code = invoiceCountry(typed.country_code ?? merchants.country_code ?? '') ?? 'SWE'
  const known: SentPaymentDetails = { ...merchants, ...typed, country_code }
  if (sent === undefined)
    return { step: 'payer', known, found: null, problems: [], isComplete: false }
  const wrong = numberProblem(known)
  const found = wrong ? null : addressOf(row, known)
  const step = wrong || found ? 'payer' : 'address'
  // What has not been asked yet is not wrong.
  const asked = [
    'email',
    'phone',
    ...(step === 'address' && sent === 'address' ? ADDRESS_FIELDS : []),
  ] as const
  const problems = [
    ...payerProblems(asked, known).map(fieldProblem),
    ...(wrong ? [{ field: 'personal_number', refusal: wrong }] : []),
  ]
  return {
    step,
    known,
    found,
    problems,
    isComplete: problems.length === 0 && (found !== null || sent === 'address'),
  }
}

function numberProblem({ personal_number, ssn, country_code, segmentation }: SentPaymentDetails) {
  const number = personal_number ?? ssn
  if (number === undefined)
    return new GatewayError('errors.personal_number.missing', {
      explain: 'The payer entered no personal number',
    })
  try {
    checkInvoicePayer(
      {
        personal_number: number,
        ...(country_code && { country_code }),
        ...(segmentation && { segmentation }),
      },
      false,
    )
    return undefined
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
}

/** What the register says, or what the merchant sent; null when neither knows. */
function addressOf(
  row: TransactionRow,
  { personal_number, ssn = personal_number, country_code }: SentPaymentDetails,
) {
  try {
    const {
      id: _,
      country: __,
      ...found
    } = findAddress(row, { ssn: ssn ?? '', country: country_code ?? '' })
    return found
  } catch (error) {
    if (error instanceof GatewayError) return null
    throw error
  }
}
