import { GatewayError } from '../../domain/errors/errors.ts'
import { invoiceCountry } from '../../domain/payer/invoice-countries.ts'
import { checkInvoicePayer } from '../../domain/payer/invoice-payer.ts'
import { payerProblems } from '../../domain/payer/page-fields.ts'
import type { SentPaymentDetails } from '../../domain/payer/payment-details.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { type FormProblem, fieldProblem } from './problems.ts'
import { type FoundAddress, findAddress } from './ssn.ts'

/** State of the invoice form. */
export interface InvoiceForm {
  /** Current step: the payer, or the address if no register knows it. */
  readonly step: 'payer' | 'address'
  /** Known details: typed here, or sent by the merchant. */
  readonly known: SentPaymentDetails
  /** From the register or the merchant; null if the payer has to type it. */
  readonly found: Omit<FoundAddress, 'id' | 'country'> | null
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
  const wrong = numberProblem(known)
  const found = wrong ? null : addressOf(row, known)
  const step = wrong || found ? 'payer' : 'address'
  // Fields of later steps are not wrong yet.
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
      explain: 'The payer entered no personal number.',
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

/** Returns the address from the register or the merchant; null if neither has it. */
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
