import { type CardField, cardProblems } from '../../domain/card-rules.ts'
import { entryByKey, GatewayError, type Locale } from '../../domain/errors.ts'
import { shownVersion } from '../../payments/on-page.ts'
import { readPageCard } from '../../requests/page-card.ts'
import type { Parameters } from '../../requests/parameters/parameters.ts'
import type { TransactionRow } from '../../storage/transactions.ts'
import { exchangeOf } from '../http/exchange.ts'
import { marksOf } from './marks.ts'
import type { Page } from './page.ts'
import { testOutcomes } from './test-outcomes.ts'
import { namedText, refusalText, TEXTS } from './texts.ts'
import type { Visit } from './visit.ts'

/** Something that is wrong: of a field, or of none. */
export interface Problem {
  readonly field: CardField | null
  readonly refusal: GatewayError
}

/** The form where the payer types the card; with problems, the form once more and what they are. */
export function cardForm({ row, merchant, response, now }: Visit, problems: readonly Problem[] = []): Page {
  const { parameters } = exchangeOf(response)
  return {
    view: 'card-form',
    ...(problems.length > 0 ? { http: 422 } : {}),
    of: { row, merchant },
    data: (locale) => ({
      ...shownProblems(problems, row, parameters, locale),
      card_holder: keptHolder(parameters),
      version: shownVersion(row),
      marks: marksOf(merchant.settings.card_types),
      outcomes: row.test && merchant.settings.page_test_helper ? testOutcomes(TEXTS[locale], now) : [],
      tries_left: row.tries > 0 ? merchant.settings.page_tries - row.tries : null,
      this_month: monthOf(now),
      // Time passes at the payer's as it does here, until somebody moves the gateway's clock.
      seconds_left: row.expires_at === null ? null : Math.max(0, Math.round((row.expires_at - now) / 1000)),
      can_leave: row.error_url !== null,
      script_texts: JSON.stringify(scriptTexts(locale)),
    }),
  }
}

/** What is wrong with a card as it was typed, before anybody is asked. */
export function problemsOf(parameters: Parameters, now: number): Problem[] {
  return cardProblems(readPageCard(parameters), monthOf(now)).map(({ field, error }) => ({
    field,
    refusal: new GatewayError(error, { explain: `What was typed as ${field} cannot be used` }),
  }))
}

/** A refusal as a problem of the form. */
export const problemOf = (refusal: GatewayError): Problem => ({ field: fieldOf(refusal), refusal })

/** The gateway's own month, which its clock may be moved to. */
const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7)

/**
 * What the form begins with: what is wrong now, or else what the last try came to, or what a link to it names (observed:
 * 11.6), which is looked up and never repeated.
 */
function shownProblems(problems: readonly Problem[], row: TransactionRow, parameters: Parameters, locale: Locale) {
  const now = problems.map(({ field, refusal }) => ({ field, text: refusalText(refusal, locale) }))
  const before = lastRefusal(row, locale) ?? namedText(parameters.error_name, locale)
  const all = now.length > 0 ? now : before === undefined ? [] : [{ field: null, text: before }]
  return {
    problems: all,
    error_name: problems[0]?.refusal.entry.name ?? null,
    heading_of_form: problems.some(({ field }) => field !== null),
    of: Object.fromEntries(FIELDS.map((field) => [field, all.find((each) => each.field === field)?.text ?? null])),
  }
}

const FIELDS: readonly CardField[] = ['card_number', 'card_holder', 'card_expiry', 'card_cvv']

function lastRefusal({ error_name, error_message }: TransactionRow, locale: Locale): string | undefined {
  if (error_name === null) return undefined
  return refusalText({ entry: entryByKey(error_name), description: error_message ?? undefined }, locale)
}

/** Errors whose name does not begin with the field that the payer has to look at. */
const FIELD_OF: Readonly<Record<string, CardField>> = {
  'errors.card.expired': 'card_expiry',
  'errors.card_type.unsupported': 'card_number',
}

/** The field of the form that an error is about; null when it is about none. */
function fieldOf({ entry: { name } }: GatewayError): CardField | null {
  return FIELDS.find((field) => name.startsWith(`errors.${field}.`)) ?? FIELD_OF[name] ?? null
}

/** Who mistyped the number need not type the name again. What holds a digit may be a card number in the wrong field. */
const keptHolder = ({ card_holder }: Parameters): string =>
  typeof card_holder === 'string' && !/\d/.test(card_holder) ? card_holder : ''

/** What the script of the form says. */
function scriptTexts(locale: Locale): Readonly<Record<string, string>> {
  const { error_prefix, problem_form, paying, card_seen, errors } = TEXTS[locale]
  const ofFields = Object.entries(errors).filter(([name]) => name.startsWith('errors.card'))
  return { ...Object.fromEntries(ofFields), error_prefix, problem_form, paying, card_seen }
}
