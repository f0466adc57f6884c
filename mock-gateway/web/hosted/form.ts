import { type CardProblem, findCardProblems } from '../../domain/card/rules.ts'
import { findEntryByName, GatewayError, getEntryByKey } from '../../domain/errors/errors.ts'
import type { Locale } from '../../domain/language/languages.ts'
import { getRules, type PageMethod } from '../../domain/order/payment-methods.ts'
import { findPayerNumber, parsePayerNumber } from '../../domain/payer/invoice-payer.ts'
import { type FieldProblem, findPayerProblems } from '../../domain/payer/page-fields.ts'
import type { SentPaymentDetails } from '../../domain/payer/payment-details.ts'
import {
  findInvoiceCountry,
  INVOICE_COUNTRIES,
  type InvoiceCountry,
} from '../../domain/payer/personal-numbers.ts'
import { readPageDetails } from '../../parsing/page-payment.ts'
import { type Parameters, text } from '../../parsing/parameters/parameters.ts'
import { readPageCard } from '../../parsing/sent-card.ts'
import type { StoredCardRow } from '../../storage/tables/stored-cards.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { getExchange } from '../http/exchange.ts'
import { hasOwnPage } from './addresses.ts'
import { createMethod, findSelectedMethod, openWallet, type PageChoices } from './choices.ts'
import { INPUT_FIELDS } from './fields.ts'
import { isTester, type OrderContext } from './order.ts'
import { findAddress } from './ssn.ts'
import { formatRefusal, TEXTS } from './texts.ts'
import type { PaymentVisit } from './visit.ts'

/** A submitted form, with its problems. */
export interface SentForm {
  readonly method?: PageMethod
  readonly choices?: PageChoices
  readonly invoice?: InvoiceForm | undefined
  readonly problems?: readonly FormProblem[] | undefined
}

/** The form of the chosen method, as the page shows it. */
export type PaymentForm = ReturnType<typeof readPaymentForm>

/** Reads the form of the chosen method, with the problems of a submitted form. */
export function readPaymentForm(
  context: OrderContext,
  visit: PaymentVisit,
  choices: PageChoices,
  { problems = [], ...sent }: SentForm,
) {
  const { row, merchant, response } = visit
  const { parameters } = getExchange(response)
  const wanted = sent.method ?? findSelectedMethod(parameters) ?? createMethod(row.payment_method)
  const method =
    choices.methods.find((each) => each === wanted) ?? choices.methods[0] ?? 'credit_card'
  const wallet = method === 'credit_card' ? openWallet(visit, parameters) : undefined
  const typed = sent.method ? readPageDetails(parameters) : {}
  const invoice = method === 'invoice' ? (sent.invoice ?? invoiceForm(row, typed)) : undefined
  const known = invoice?.known ?? { ...row.payment_details, ...typed }
  const current = problems.length > 0 ? problems : listEarlierProblems(row, parameters)
  return {
    ...context,
    ...choices,
    ...visit,
    parameters,
    settings: merchant.settings,
    method,
    wallet,
    kind: wallet ? 'wallet' : (getRules(method).page?.form ?? 'card'),
    invoice,
    problems: current.map((problem) => describeProblem(problem, context.locale)),
    values: { ...known, card_holder: getShownHolder(visit, known) },
    // Next to stored cards, a new card is optional.
    optional: choices.cards.length > 0 ? CARD_FIELDS : [],
    countries: invoice && INVOICE_COUNTRIES,
    plan: text(parameters, sent.method === undefined ? 'plan' : 'plan_id'),
    isCardRemoved: text(parameters, 'removed') === 'card',
    hasHelper: isTester(visit),
  } as const
}

const CARD_FIELDS = ['card_number', 'card_holder', 'card_expiry', 'card_cvv'] as const

/**
 * Returns the name on the card: as typed, from the declined card, or from the merchant. Other card
 * data are typed again. A name with a digit is left out, since it may be a card number in the wrong
 * field.
 */
function getShownHolder(
  { row, response }: PaymentVisit,
  { first_name, last_name }: SentPaymentDetails,
): string {
  const { card_holder: typed } = getExchange(response).parameters
  // A wallet's card was not typed by the payer.
  const declined = row.wallet_type === null ? row.card_holder : null
  const name =
    typed === undefined ? (declined ?? [first_name, last_name].filter(Boolean).join(' ')) : typed
  return typeof name === 'string' && !/\d/.test(name) ? name : ''
}

/**
 * Validates a submitted form before it is processed.
 * @param stored the stored card that pays
 * @returns the form, with `problems` if the payer has to complete it
 */
export function checkForm(
  visit: PaymentVisit,
  method: PageMethod,
  stored: StoredCardRow | undefined,
): SentForm {
  const { row, merchant, response } = visit
  const { parameters } = getExchange(response)
  const typed = readPageDetails(parameters)
  const step = text(parameters, 'step')
  if (method === 'invoice') {
    const invoice = invoiceForm(row, typed, step ?? 'payer')
    // A form without a step is the merchant's own, with its own fields.
    return { method, invoice, problems: step === undefined ? undefined : invoice.problems }
  }
  // A merchant's own page has its own fields.
  const required = hasOwnPage(response, row) ? [] : merchant.settings.payer_details
  const details = findPayerProblems(required, { ...row.payment_details, ...typed })
  const isTyped = method === 'credit_card' && !openWallet(visit, parameters)
  const problems = [...details, ...(isTyped ? findTypedProblems(visit, stored) : [])].map(
    createFieldProblem,
  )
  return { method, problems: problems.length > 0 ? problems : undefined }
}

/**
 * Returns the problems of a typed card. Of a stored card only the security code is typed, if the
 * merchant requires it.
 */
function findTypedProblems({ merchant, response, now }: PaymentVisit, stored?: StoredCardRow) {
  const all = findCardProblems(readPageCard(getExchange(response).parameters), formatMonth(now))
  if (!stored) return all
  return merchant.settings.stored_card_cvv ? all.filter(({ field }) => field === 'card_cvv') : []
}

/** Returns the month of the gateway's clock, which may have been moved. */
export const formatMonth = (now: number): string => new Date(now).toISOString().slice(0, 7)

type InvoiceForm = ReturnType<typeof invoiceForm>

const ADDRESS_FIELDS = ['first_name', 'last_name', 'address_1', 'zip', 'city'] as const

/**
 * @param typed the payer's input
 * @param sent the step of the submitted form; undefined when the page is opened
 */
function invoiceForm(row: TransactionRow, typed: SentPaymentDetails, sent?: string) {
  // The merchant's number of the payer is not shown to every visitor of the page.
  const { personal_number: _, ssn: __, ...merchants } = row.payment_details ?? {}
  const country_code =
    findInvoiceCountry(typed.country_code ?? merchants.country_code ?? '') ?? 'SWE'
  const known: SentPaymentDetails = { ...merchants, ...typed, country_code }
  if (sent === undefined) return { step: 'payer', known } as const
  const number = findPayerNumber(known)
  const wrong = findNumberRefusal(number, country_code, known.segmentation)
  const register = wrong ? undefined : findAddress(row, number, country_code)
  // Otherwise the payer has to type it.
  const found = register?.ok ? register.address : undefined
  const step = wrong || found ? 'payer' : 'address'
  const isAddressSent = sent === 'address'
  // Fields of later steps are not wrong yet.
  const addressFields = step === 'address' && isAddressSent ? ADDRESS_FIELDS : []
  const problems = [
    ...findPayerProblems(addressFields, known).map(createFieldProblem),
    ...(wrong ? [{ field: 'personal_number', refusal: wrong }] : []),
    ...findPayerProblems(['email', 'phone'], known).map(createFieldProblem),
  ]
  const isComplete = problems.length === 0 && (found !== undefined || isAddressSent)
  return { step, known, found, problems: isComplete ? undefined : problems }
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

/** A problem of a form's field, or of the whole form. */
export interface FormProblem {
  /** The id of its input. */
  readonly field: string | null
  readonly refusal: GatewayError
}

export const toFormProblem = (refusal: GatewayError): FormProblem => ({
  field: findField(refusal.entry.name),
  refusal,
})

const createFieldProblem = ({ field, error }: CardProblem | FieldProblem): FormProblem => ({
  field,
  refusal: new GatewayError(error, { explain: `The value entered as ${field} is invalid.` }),
})

/** Fields of errors whose name does not begin with the field. */
const FIELD_OF: Readonly<Record<string, string>> = {
  'errors.card.expired': 'card_expiry',
  'errors.card_type.unsupported': 'card_number',
  'errors.invalid.email': 'email',
  'errors.address.missing': 'address_1',
  'errors.missing_or_invalid.phone_number': 'swish_number',
  'errors.missing_or_invalid.ssn': 'personal_number',
  'errors.helper.ssn.for_sweden_must_be_12_digits': 'personal_number',
}

/** Returns the field of an error; null if it is not about one field. */
const findField = (error: string): string | null =>
  INPUT_FIELDS.find((field) => error.startsWith(`errors.${field}.`)) ?? FIELD_OF[error] ?? null

function describeProblem({ field, refusal }: EarlierProblem, locale: Locale) {
  const labelled = INPUT_FIELDS.find((each) => each === field)
  return {
    field,
    label: labelled && TEXTS[locale][labelled],
    text: formatRefusal(refusal, locale),
    error: refusal.entry.name,
  }
}

/** A problem from an earlier attempt. Its explanation is not stored. */
type EarlierProblem = Pick<FormProblem, 'field'> & {
  readonly refusal: Pick<GatewayError, 'entry' | 'description'>
}

/**
 * Returns the error in the address (observed: 11.6), which is looked up and never repeated, or else
 * the error of the last attempt.
 */
function listEarlierProblems(
  { error_name, error_message }: TransactionRow,
  { error_name: named }: Parameters,
): readonly EarlierProblem[] {
  const last = error_name === null ? undefined : getEntryByKey(error_name)
  const inAddress = typeof named === 'string' ? findEntryByName(named) : undefined
  const field = inAddress ? findField(inAddress.name) : null
  if (inAddress && inAddress.name !== last?.name)
    return [{ field, refusal: { entry: inAddress, description: undefined } }]
  return last ? [{ field, refusal: { entry: last, description: error_message ?? undefined } }] : []
}
