import { GatewayError } from '../../domain/errors/errors.ts'
import { invoiceCountry } from '../../domain/payer/invoice-countries.ts'
import { checkInvoicePayer } from '../../domain/payer/invoice-payer.ts'
import { payerProblems } from '../../domain/payer/page-fields.ts'
import type { SentPaymentDetails } from '../../domain/payer/payment-details.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import type { Problem } from './problems.ts'
import { type FoundAddress, findAddress } from './ssn.ts'

/** What an invoice asks, one after the other (observed: 11.5). */
export const INVOICE_STEPS = ['email', 'phone', 'number', 'address'] as const

/** How far a payer has come with an invoice. */
export interface InvoiceProgress {
  /** What is asked now; what came before stays on the page. */
  readonly step: (typeof INVOICE_STEPS)[number]
  /** What is known of the payer: typed here, or sent by the merchant. */
  readonly known: SentPaymentDetails
  /** From the register; null when the payer has to type it. */
  readonly found: Omit<FoundAddress, 'id' | 'country'> | null
  readonly problems: readonly Problem[]
}

const ADDRESS_FIELDS = ['first_name', 'last_name', 'address_1', 'zip', 'city'] as const

/**
 * @param typed what the payer has typed so far
 * @param asked the step whose form was sent; undefined when the page is only opened
 */
export function invoiceProgress(row: TransactionRow, typed: SentPaymentDetails, asked?: string): InvoiceProgress {
  // Who opens the page is not shown the number that the merchant knows.
  const { personal_number: _, ssn: __, ...sent } = row.payment_details ?? {}
  const country_code = invoiceCountry(typed.country_code ?? sent.country_code ?? '') ?? 'SWE'
  const known: SentPaymentDetails = { ...sent, ...typed, country_code }
  const at = (step: InvoiceProgress['step'], refusals: readonly [field: string, GatewayError][] = []) => ({
    step,
    known,
    found: null,
    // What has not been asked yet is not wrong.
    problems: asked === undefined ? [] : refusals.map(([field, refusal]) => ({ field, refusal })),
  })
  const wasAsked = (step: InvoiceProgress['step']) =>
    asked !== undefined && INVOICE_STEPS.indexOf(step) <= INVOICE_STEPS.indexOf(asked as InvoiceProgress['step'])
  for (const field of ['email', 'phone'] as const) {
    const [problem] = payerProblems([field], known)
    const explain = `The payer typed no ${field} that can be used`
    if (problem) return at(field, wasAsked(field) ? [[field, new GatewayError(problem.error, { explain })]] : [])
  }
  const wrong = numberProblem(known)
  if (wrong) return at('number', wasAsked('number') ? [['personal_number', wrong]] : [])
  const found = addressOf(row, known)
  if (found) return { ...at('address'), found }
  const missing = wasAsked('address') ? payerProblems(ADDRESS_FIELDS, known) : []
  return at(
    'address',
    missing.map(({ field, error }) => [field, new GatewayError(error, { explain: `The payer typed no ${field}` })]),
  )
}

function numberProblem({ personal_number, ssn, country_code, segmentation }: SentPaymentDetails) {
  const number = personal_number ?? ssn
  if (number === undefined)
    return new GatewayError('errors.personal_number.missing', { explain: 'The payer typed no personal number' })
  try {
    checkInvoicePayer(
      { personal_number: number, ...(country_code && { country_code }), ...(segmentation && { segmentation }) },
      false,
    )
    return undefined
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
}

/** What the register says, or what the merchant sent; null when neither knows. */
function addressOf(row: TransactionRow, { personal_number, ssn = personal_number, country_code }: SentPaymentDetails) {
  try {
    const { id: _, country: __, ...found } = findAddress(row, { ssn: ssn ?? '', country: country_code ?? '' })
    return found
  } catch (error) {
    if (error instanceof GatewayError) return null
    throw error
  }
}
