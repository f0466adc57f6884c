import type { IntervalUnit } from '../contract/wire.ts'
import { hasControlCharacters, isLongerThan } from '../domain/characters.ts'
import { badFormat, GatewayError } from '../domain/errors/errors.ts'
import { isNested, type JsonValue } from '../domain/json.ts'
import { type Currency, readCurrency } from '../domain/money/currencies.ts'
import {
  fitsCurrency,
  formatAmount,
  type Hundredths,
  hundredths,
  readAmountFilter,
} from '../domain/money/money.ts'
import type { PlanTerms, Prices } from '../domain/subscription/plan.ts'
import type { UpdatePlan } from '../subscriptions/commands.ts'
import {
  type CallParameters,
  integer,
  object,
  type Parameters,
  pick,
  readActiveOrCancelled,
  text,
} from './parameters/parameters.ts'

/** Our decisions, in characters, days or periods. */
const NAME_LENGTH = 255
const DESCRIPTION_LENGTH = 2000
const LONGEST_INTERVAL: Readonly<Record<IntervalUnit, number>> = { days: 366, months: 36 }
const MOST_PERIODS = 10_000
const LONGEST_TRIAL = 3_650

/** Parameters of a plan's terms (observed: 6.7). */
const PLAN_TERMS_FIELDS = [
  'name',
  'description',
  'interval',
  'interval_unit',
  'prices',
  'setup_fees',
  'periods',
  'trial_length',
] as const

type PlanTermsParameters = CallParameters<(typeof PLAN_TERMS_FIELDS)[number]>

/**
 * Reads the terms of a plan, and checks them in the order of the error numbers.
 * @param known current terms of a changed plan: missing parameters keep their value; prices are
 *   replaced as a whole
 * @throws errors.name.missing (184), errors.interval_unit.missing (185),
 *   errors.interval_unit.invalid (186), errors.prices.missing (187), errors.interval.missing (188),
 *   errors.interval.invalid (189: not 1 to 366 days or 1 to 36 months), errors.prices.invalid (195,
 *   setup_fees too), errors.json.malformed (149); errors.request.bad_format (253) for a name over
 *   255 characters, a description over 2,000, periods over 10,000, a trial_length over 3,650 days
 *   (our decisions)
 */
export function readPlanTerms(parameters: PlanTermsParameters, known?: PlanTerms): PlanTerms {
  const name = readName(text(parameters, 'name') ?? known?.name)
  const interval_unit = readIntervalUnit(text(parameters, 'interval_unit') ?? known?.interval_unit)
  const prices = readPrices(parameters, 'prices', hundredths(1)) ?? known?.prices ?? {}
  if (Object.keys(prices).length === 0)
    throw new GatewayError('errors.prices.missing', {
      explain:
        'prices is missing. Send the price of a period in each currency, such as {"sek": "99.00"}.',
    })
  return {
    name,
    interval_unit,
    prices,
    interval: readInterval(parameters, interval_unit, known),
    setup_fees: readPrices(parameters, 'setup_fees', hundredths(0)) ?? known?.setup_fees ?? {},
    description: readDescription(parameters, known?.description ?? ''),
    periods: readCount(parameters, 'periods', MOST_PERIODS) ?? known?.periods ?? 0,
    trial_length: readCount(parameters, 'trial_length', LONGEST_TRIAL) ?? known?.trial_length ?? 0,
  }
}

function readName(name: string | undefined): string {
  if (name === undefined || name.trim() === '')
    throw new GatewayError('errors.name.missing', {
      explain: 'name is missing. Send the name of the plan.',
    })
  if (isLongerThan(name, NAME_LENGTH) || hasControlCharacters(name))
    throw badFormat(`name may have at most ${NAME_LENGTH} characters, without control characters.`)
  return name
}

/** An empty text clears it, unlike required fields (our decision). */
function readDescription(parameters: PlanTermsParameters, known: string): string {
  const description =
    parameters.description === '' ? '' : (text(parameters, 'description') ?? known)
  if (!isLongerThan(description, DESCRIPTION_LENGTH)) return description
  throw badFormat(`description may have at most ${DESCRIPTION_LENGTH} characters.`)
}

function readIntervalUnit(sent: string | undefined): IntervalUnit {
  if (sent === undefined)
    throw new GatewayError('errors.interval_unit.missing', {
      explain: 'interval_unit is missing. Send days or months.',
    })
  const unit = sent.toLowerCase()
  if (unit === 'days' || unit === 'months') return unit
  throw new GatewayError('errors.interval_unit.invalid', {
    explain: 'interval_unit must be days or months.',
  })
}

function readInterval(
  parameters: PlanTermsParameters,
  unit: IntervalUnit,
  known: PlanTerms | undefined,
): number {
  const interval = integer(parameters, 'interval', 'errors.interval.invalid') ?? known?.interval
  if (interval === undefined)
    throw new GatewayError('errors.interval.missing', {
      explain: `interval is missing. Send the number of ${unit} in a period.`,
    })
  if (interval >= 1 && interval <= LONGEST_INTERVAL[unit]) return interval
  throw new GatewayError('errors.interval.invalid', {
    explain: `interval must be a whole number from 1 to ${LONGEST_INTERVAL[unit]} for ${unit}.`,
  })
}

function readCount(
  parameters: PlanTermsParameters,
  name: 'periods' | 'trial_length',
  most: number,
): number | undefined {
  const count = integer(parameters, name, 'errors.request.bad_format')
  if (count === undefined || (count >= 0 && count <= most)) return count
  throw badFormat(`${name} must be a whole number from 0 to ${most}.`)
}

/**
 * Reads amounts by currency: JSON text or brackets, codes in any case, values as text or numbers
 * (observed: 6.7). A currency with an empty value is ignored.
 * @returns undefined if nothing is sent
 */
function readPrices(
  parameters: PlanTermsParameters,
  name: 'prices' | 'setup_fees',
  least: Hundredths,
): Prices | undefined {
  const sent = object(parameters, name, 'errors.prices.invalid')
  if (sent === undefined) return undefined
  const prices: { [C in Currency]?: Hundredths } = {}
  for (const [code, value] of Object.entries(sent)) {
    if (value === null || value === '') continue
    const currency = parseCurrency(code)
    if (prices[currency] !== undefined)
      throw createPricesError(`${name} contains ${currency} twice. Send each currency once.`)
    const price = parseAmount(value)
    if (price === undefined || price < least)
      throw createPricesError(
        `${name} for ${currency} must be a number of at least ${formatAmount(least)}.`,
      )
    if (!fitsCurrency(price, currency))
      throw createPricesError(
        `The currency ${currency} has no decimals, so its amounts must end in .00.`,
      )
    prices[currency] = price
  }
  return prices
}

function parseCurrency(code: string): Currency {
  try {
    return readCurrency(code)
  } catch (error) {
    const explain = error instanceof GatewayError ? error.explain : undefined
    throw new GatewayError('errors.prices.invalid', { explain, cause: error })
  }
}

const parseAmount = (value: JsonValue): Hundredths | undefined =>
  typeof value === 'boolean' || isNested(value) ? undefined : readAmountFilter(String(value))

const createPricesError = (explain: string) =>
  new GatewayError('errors.prices.invalid', { explain })

/** Parameters of a new plan (observed: 6.7). */
export const CREATE_PLAN_FIELDS = PLAN_TERMS_FIELDS

/** @throws the errors of `readPlanTerms` */
export const readCreatePlan = (parameters: Parameters): PlanTerms =>
  readPlanTerms(pick(parameters, CREATE_PLAN_FIELDS))

/** Parameters of a changed plan. */
export const UPDATE_PLAN_FIELDS = [...PLAN_TERMS_FIELDS, 'status'] as const

/** @throws errors.status.invalid (148) */
export function readUpdatePlan(id: number | undefined, parameters: Parameters): UpdatePlan {
  const sent = pick(parameters, UPDATE_PLAN_FIELDS)
  return {
    id,
    status: readActiveOrCancelled(text(sent, 'status'), 'status must be active or cancelled.'),
    terms: (known) => readPlanTerms(sent, known),
  }
}
