import { cardProblems } from '../../domain/card/rules.ts'
import type { Locale } from '../../domain/language/languages.ts'
import type { Currency } from '../../domain/money/currencies.ts'
import { type PageMethod, rulesOf } from '../../domain/order/payment-methods.ts'
import type { WalletType } from '../../domain/order/wallets.ts'
import { suggestAddress } from '../../domain/payer/email-typos.ts'
import { INVOICE_COUNTRIES } from '../../domain/payer/invoice-countries.ts'
import { payerProblems } from '../../domain/payer/page-fields.ts'
import type { SentPaymentDetails } from '../../domain/payer/payment-details.ts'
import { readPageCard } from '../../parsing/page-card.ts'
import { readPageDetails } from '../../parsing/page-payment.ts'
import { type Parameters, text } from '../../parsing/parameters/parameters.ts'
import { shownVersion } from '../../payments/on-page.ts'
import type { StoredCardRow } from '../../storage/tables/stored-cards.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { exchangeOf } from '../http/exchange.ts'
import { writtenCard } from '../pages/written-card.ts'
import { brandMarks } from './brand-marks.ts'
import type { PageChoices } from './choices.ts'
import { hasOwnPage } from './chosen-page.ts'
import { countryOptions } from './countries.ts'
import { INPUT_FIELDS, INPUTS, type InputName } from './inputs.ts'
import { type InvoiceForm, invoiceForm } from './invoice-form.ts'
import { describePlan } from './listed-plans.ts'
import { methodOf, selectedMethod } from './methods.ts'
import { type FormProblem, fieldProblem, shownProblems } from './problems.ts'
import { listSharedData } from './shared-data.ts'
import { testExpiry, testOutcomes, testPersons } from './test-outcomes.ts'
import { TEXTS } from './texts.ts'
import type { PaymentVisit } from './visit.ts'
import { openWallet, shownWallets } from './wallets.ts'

/** Options of a form that is shown again after an error. */
export interface RedisplayOptions {
  readonly problems?: readonly FormProblem[]
  /** The method of the submitted form. */
  readonly method?: PageMethod
  readonly invoice?: InvoiceForm
}

/** The form of the chosen method. */
export type PaymentFormData = ReturnType<typeof readFormData>

/** Reads the form of the chosen method, with the problems of a submitted form. */
export function readFormData(
  visit: PaymentVisit,
  choices: PageChoices,
  shown: RedisplayOptions,
  locale: Locale,
) {
  const { row, merchant, response, now } = visit
  const { parameters } = exchangeOf(response)
  const { problems = [] } = shown
  const wanted =
    shown.method ??
    selectedMethod(text(parameters, 'payment.selected')) ??
    methodOf(row.payment_method)
  const method =
    choices.methods.find((each) => each === wanted) ?? choices.methods[0] ?? 'credit_card'
  const wallet = method === 'credit_card' ? openWallet(visit, parameters) : undefined
  const typed = shown.method ? readPageDetails(parameters) : {}
  const known = { ...row.payment_details, ...typed }
  const invoice = method === 'invoice' ? (shown.invoice ?? invoiceForm(row, typed)) : undefined
  const { settings } = merchant
  const triesLeft = settings.page_tries - row.tries
  const hasHelper = row.test && settings.page_test_helper
  return {
    ...shownProblems(problems, row, parameters, locale),
    method,
    ...methodFacts(method, wallet),
    ...shownWallets(visit, choices.methods.includes('credit_card'), wallet, locale),
    methods: choices.methods,
    version: shownVersion(row),
    marks: brandMarks(settings.card_types, TEXTS[locale]),
    outcomes:
      hasHelper && method === 'credit_card' && !wallet ? testOutcomes(TEXTS[locale], locale) : [],
    test_expiry: testExpiry(now),
    persons: hasHelper && invoice ? testPersons(locale) : [],
    tries_left: row.tries > 0 && triesLeft <= FEW_TRIES ? triesLeft : null,
    this_month: monthOf(now),
    // Computed by the gateway's clock, which may have been moved.
    seconds_left:
      row.expires_at === null ? null : Math.max(0, Math.ceil((row.expires_at - now) / 1000)),
    can_leave: row.error_url !== null,
    script_texts: JSON.stringify(scriptTexts(locale)),
    cards: choices.cards.map((card) => shownCard(card, chosenId(parameters, choices))),
    card_is_removed: text(parameters, 'removed') === 'card',
    chosen_card: chosenId(parameters, choices),
    follows: listSharedData(method, settings, locale),
    inputs: choices.cards.length > 0 ? INPUTS_BESIDE_CARDS : INPUTS,
    asks_cvv: settings.stored_card_cvv && choices.cards.length > 0,
    can_store: choices.canStore,
    store_card: parameters.store_card !== undefined,
    plans: shownPlans(choices, row.currency, parameters, shown.method !== undefined, locale),
    values: valuesOf(row, invoice?.known ?? known, parameters),
    meant: suggestAddress((invoice?.known ?? known).email ?? '') ?? null,
    details: method === 'invoice' ? [] : settings.payer_details,
    countries:
      invoice || settings.payer_details.includes('country_code')
        ? countryOptions(locale, invoice && INVOICE_COUNTRIES)
        : [],
    step: invoice?.step ?? null,
  }
}

/** Name of a method's form. */
type MethodForm = 'card' | 'wallet' | 'invoice' | 'asked'

/** Returns the view facts of a method; a wallet has a sheet of its own. */
function methodFacts(
  method: PageMethod,
  wallet: WalletType | undefined,
): { readonly form: MethodForm; readonly method_field: InputName | null } {
  const { page } = rulesOf(method)
  return {
    form: wallet ? 'wallet' : (page?.form ?? 'card'),
    method_field: page?.field ?? null,
  }
}

/** Number of remaining attempts from which the page shows it. */
const FEW_TRIES = 3

/** Next to stored cards, a new card is optional. */
const INPUTS_BESIDE_CARDS: typeof INPUTS = {
  ...INPUTS,
  card_number: { ...INPUTS.card_number, required: false },
  card_holder: { ...INPUTS.card_holder, required: false },
  card_expiry: { ...INPUTS.card_expiry, required: false },
  card_cvv: { ...INPUTS.card_cvv, required: false },
}

/**
 * Returns the values of the inputs: typed, or known from the merchant. Card data except the holder
 * are typed again.
 */
const valuesOf = (
  row: TransactionRow,
  known: SentPaymentDetails,
  parameters: Parameters,
): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    INPUT_FIELDS.map((field) => [field, known[field as keyof SentPaymentDetails] ?? '']),
  ),
  card_holder: shownHolder(row, known, parameters),
})

/** Describes a stored card without its token. */
const shownCard = ({ id, card_type, card_number, card_expiry }: StoredCardRow, chosen: string) => ({
  id,
  ...writtenCard(card_type, card_number),
  expiry: `${card_expiry.slice(0, 2)}/${card_expiry.slice(2)}`,
  is_chosen: chosen === String(id),
})

/** Returns the selected card: the chosen one, or else the newest; '' is another card. */
function chosenId(parameters: Parameters, { cards }: PageChoices): string {
  const { stored_card } = parameters
  if (typeof stored_card === 'string')
    return cards.some(({ id }) => String(id) === stored_card) ? stored_card : ''
  return String(cards[0]?.id ?? '')
}

/** `?plan=7` preselects a plan (observed: 11.5). */
function shownPlans(
  { plans }: PageChoices,
  currency: Currency,
  parameters: Parameters,
  isSent: boolean,
  locale: Locale,
) {
  const wanted = isSent ? text(parameters, 'plan_id') : text(parameters, 'plan')
  const chosen = plans.find(({ id }) => String(id) === wanted) ?? plans[0]
  return plans.map((plan) => ({
    ...describePlan(plan, currency, locale),
    is_chosen: plan.id === chosen?.id,
  }))
}

/** Validates a submitted form before it is processed. @param stored the stored card that pays */
export function validateForm(
  visit: PaymentVisit,
  method: PageMethod,
  stored: StoredCardRow | undefined,
): FormProblem[] {
  const { row, merchant, response, now } = visit
  const { parameters } = exchangeOf(response)
  const known = { ...row.payment_details, ...readPageDetails(parameters) }
  // A merchant's own page has its own fields.
  const asks = !hasOwnPage(response, row)
  const details =
    asks && method !== 'invoice' ? payerProblems(merchant.settings.payer_details, known) : []
  const isTyped = method === 'credit_card' && !openWallet(visit, parameters)
  const card = isTyped
    ? typedProblems(parameters, now, stored, merchant.settings.stored_card_cvv)
    : []
  return [...details, ...card].map(fieldProblem)
}

/**
 * Returns the typed fields of a card. For a stored card this is only the security code, if the
 * merchant requires it.
 */
function typedProblems(
  parameters: Parameters,
  now: number,
  stored: StoredCardRow | undefined,
  asksCvv: boolean,
) {
  const all = cardProblems(readPageCard(parameters), monthOf(now))
  if (!stored) return all
  return asksCvv ? all.filter(({ field }) => field === 'card_cvv') : []
}

/** The month of the gateway's clock, which may have been moved. */
const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7)

/**
 * Returns the name on the card: as typed, from the declined card, or from the merchant. A name with
 * a digit is left out, since it may be a card number in the wrong field.
 */
function shownHolder(
  row: TransactionRow,
  known: SentPaymentDetails,
  { card_holder }: Parameters,
): string {
  // A wallet's card was not typed by the payer.
  const declined = row.wallet_type === null ? row.card_holder : null
  const payer = [known.first_name, known.last_name].filter(Boolean).join(' ')
  const name = card_holder === undefined ? (declined ?? payer) : card_holder
  return typeof name === 'string' && !/\d/.test(name) ? name : ''
}

/** Returns the texts of the form's script. */
function scriptTexts(locale: Locale): Readonly<Record<string, string>> {
  const { error_prefix, problem_form, paying, errors } = TEXTS[locale]
  return { ...errors, error_prefix, problem_form, paying }
}
