import { filters as liquidFilters } from 'liquidjs'
import { maskWords } from '../domain/characters.ts'
import { type FilterScope, Json, printValue } from './printing.ts'

type FilterFunction = (this: FilterScope, value: unknown, ...parameters: unknown[]) => unknown

const isUnset = (value: unknown): boolean => value === undefined || value === null || value === ''

const orElse =
  (otherwise: unknown): FilterFunction =>
  (value) =>
    isUnset(value) ? otherwise : value

/**
 * Returns the value if it is set, otherwise a file of the gateway that replaces the service's own
 * (our decision).
 */
function orFile(name: string): FilterFunction {
  return function (value) {
    const endpoint = this.context.getSync(['endpoint'])
    return isUnset(value) && typeof endpoint === 'string'
      ? `${endpoint.replace(/v1\/$/, '')}assets/${name}`
      : (value ?? '')
  }
}

/** The value where it is set, else another (observed: 11.2, and 11.1 for the countries). */
const DEFAULTS: Readonly<Record<string, FilterFunction>> = {
  default_true: orElse(true),
  default_false: orElse(false),
  default_string_empty_name: orElse(''),
  default_string_empty_logo: orElse(''),
  default_string_empty_terms: orElse(''),
  default_payment_method: orElse('credit_card_tab'),
  default_segmentation: orElse('b2c'),
  default_country: orElse('SWE'),
  default_country_name: orElse('Sweden'),
  default_endpoint(value) {
    return isUnset(value) ? this.context.getSync(['endpoint']) : value
  },
  default_payment_js_endpoint: orFile('service-payment.js'),
  default_lang_endpoint: orFile('service-lang.js'),
  default_css_endpoint: orFile('service-payment.css'),
  default_metadata_country(value) {
    const known = COUNTRIES.map((path) =>
      this.context.getSync(['transaction', 'metadata', ...path]),
    )
    return [value, ...known].find((each) => typeof each === 'string' && each !== '') ?? 'SWE'
  },
}

/** Places in shops' metadata that name the payer's country (observed: 11.1). */
const COUNTRIES: readonly (readonly string[])[] = [
  ['country'],
  ['order', 'customer', 'default_address', 'country'],
  ['order', 'billing_address', 'country'],
]

/**
 * Output is escaped where it is printed, so that this filter has nothing to do and cannot be
 * circumvented.
 */
const same: FilterFunction = (value) => value

const json: FilterFunction = function (value) {
  return value instanceof Json ? value : new Json(value ?? null, this)
}

const OWN: Readonly<Record<string, FilterFunction>> = {
  raw: same,
  escape: same,
  escape_once: same,
  xml_escape: same,
  json,
  jsonify: json,
  inspect: json,
  mask(value) {
    return maskWords(printValue(value, this))
  },
  /** JSON of an object, for use within single quotes (observed: 11.1). */
  replace_metadata(value) {
    return printValue(value, this).replaceAll("'", '')
  },
  date(value, ...parameters) {
    const moment = value === 'now' || value === 'today' ? this.context.getSync(['now']) : value
    return builtIn('date').call(this, moment, ...parameters)
  },
}

/** Liquid's filters for texts: other values are turned into text first. */
const OF_TEXTS =
  'append prepend capitalize downcase upcase lstrip rstrip strip strip_html strip_newlines newline_to_br remove remove_first remove_last replace replace_first replace_last split truncate truncatewords url_encode url_decode base64_encode base64_decode'

function builtIn(name: string): FilterFunction {
  const filter = liquidFilters[name as keyof typeof liquidFilters] as
    | FilterFunction
    | { handler: FilterFunction }
  return typeof filter === 'function' ? filter : filter.handler
}

const ofTexts = OF_TEXTS.split(' ').map((name): [string, FilterFunction] => [
  name,
  function (value, ...parameters) {
    // A list as a parameter would become a text before it is counted.
    const texts = parameters.map((each) =>
      typeof each === 'object' && each !== null ? printValue(each, this) : each,
    )
    return builtIn(name).call(this, printValue(value, this), ...texts)
  },
])

/** The filters of merchants' templates, in addition to Liquid's. */
export const TEMPLATE_FILTERS: Readonly<Record<string, FilterFunction>> = {
  ...DEFAULTS,
  ...OWN,
  ...Object.fromEntries(ofTexts),
}
