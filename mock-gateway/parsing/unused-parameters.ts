import { closest, distance } from 'fastest-levenshtein'
import type { Notice } from '../domain/notices.ts'
import { CAPTURE_TRANSACTION_FIELDS, CREATE_REFUND_FIELDS } from './capture-and-refund.ts'
import { CREATE_TRANSACTION_FIELDS } from './create-transaction.ts'
import { CUSTOMER_FIELDS } from './customer.ts'
import { LISTING_FIELDS } from './listing.ts'
import type { Parameters } from './parameters/parameters.ts'
import { CREATE_PLAN_FIELDS, UPDATE_PLAN_FIELDS } from './plan-terms.ts'
import { CREATE_STORED_CARD_FIELDS, UPDATE_STORED_CARD_FIELDS } from './stored-card.ts'
import { CREATE_SUBSCRIPTION_FIELDS, UPDATE_SUBSCRIPTION_FIELDS } from './subscription.ts'
import { UPDATE_TRANSACTION_FIELDS } from './update-transaction.ts'

/** A call of the API: its name in sentences, and the parameters it uses. */
interface ApiCall {
  readonly named: string
  readonly fields: readonly string[]
}

/** Calls that change data, by method and route. */
const CHANGING: Readonly<Record<string, ApiCall>> = {
  'POST /v1/transactions': { named: 'a new transaction', fields: CREATE_TRANSACTION_FIELDS },
  'PUT /v1/transactions/:id': { named: 'an update', fields: UPDATE_TRANSACTION_FIELDS },
  'PUT /v2/transactions/:id': { named: 'an update', fields: UPDATE_TRANSACTION_FIELDS },
  'PUT /v1/transactions/:id/capture': { named: 'a capture', fields: CAPTURE_TRANSACTION_FIELDS },
  'PUT /v1/transactions//capture': { named: 'a capture', fields: CAPTURE_TRANSACTION_FIELDS },
  'POST /v1/refunds': { named: 'a refund', fields: CREATE_REFUND_FIELDS },
  'POST /v1/stored_cards': { named: 'a new stored card', fields: CREATE_STORED_CARD_FIELDS },
  'PUT /v1/stored_cards/:id': { named: 'an update', fields: UPDATE_STORED_CARD_FIELDS },
  'POST /v1/customers': { named: 'a new customer', fields: CUSTOMER_FIELDS },
  'PUT /v1/customers/:id': { named: 'an update', fields: CUSTOMER_FIELDS },
  'POST /v1/plans': { named: 'a new plan', fields: CREATE_PLAN_FIELDS },
  'PUT /v1/plans/:id': { named: 'an update', fields: UPDATE_PLAN_FIELDS },
  'POST /v1/subscriptions': { named: 'a new subscription', fields: CREATE_SUBSCRIPTION_FIELDS },
  'PUT /v1/subscriptions/:id': { named: 'an update', fields: UPDATE_SUBSCRIPTION_FIELDS },
}

const LIST: ApiCall = { named: 'a list', fields: LISTING_FIELDS }
const OTHER: ApiCall = { named: 'this call', fields: [] }

/**
 * Returns the call at a route of the API. Lists are the GET routes that do not end in an id.
 * @param route such as /v1/transactions/:id
 */
export function findApiCall(method: string, route: string): ApiCall {
  const plural = route.replace(/^(\/v1\/(?:stored_card|subscription))(?=\/|$)/, '$1s')
  const isList = method === 'GET' && !plural.endsWith('/:id')
  return CHANGING[`${method} ${plural}`] ?? (isList ? LIST : OTHER)
}

/**
 * Parameters that never lead to a warning, because every call accepts them or old clients send them
 * everywhere.
 */
const NEVER_REPORTED: ReadonlySet<string> = new Set([
  // Every call accepts these (specification: parameters).
  'merchant_id',
  'encrypted',
  'locale',
  'lang',
  'extend',
  'metadata',
  // Clients that sign every call.
  'hash',
  // Sent by forms of Rails.
  'utf8',
  'authenticity_token',
  'commit',
  '_method',
  // Sent against caches by jQuery and Magento (observed: 1.1).
  '_',
  'ts',
  // Sent with every call by some clients, although only lists use them (observed: 1.4).
  'limit',
  'start_id',
])

const KNOWN: ReadonlySet<string> = new Set(
  [LIST, ...Object.values(CHANGING)].flatMap(({ fields }) => fields),
)

/** Maximum number of unused parameters in one explanation. */
const MOST_NAMED = 5

/**
 * Notices the parameters that a call received and did not use. A form can contain fields of the
 * shop, so for a payer's browser only names close to a parameter are noticed.
 */
export function noticeUnused(
  { named, fields }: ApiCall,
  parameters: Parameters,
  { loggedIn }: { readonly loggedIn: boolean },
): readonly Notice[] {
  const unused = Object.keys(parameters).filter(
    (name) =>
      !fields.includes(name) &&
      !NEVER_REPORTED.has(name) &&
      (loggedIn || (!KNOWN.has(name) && findNearest(name, fields))),
  )
  const notices = unused
    .slice(0, MOST_NAMED)
    .map(
      (name): Notice =>
        KNOWN.has(name)
          ? { code: 'parameter.unused', facts: { name, call: named } }
          : noticeUnknown(name, findNearest(name, fields)),
    )
  const count = unused.length - notices.length
  return count > 0 ? [...notices, { code: 'parameter.more', facts: { count } }] : notices
}

/**
 * A text that does not look like a name is not repeated: it may be a value in the wrong format. In
 * brackets, such as `metadata[order]`, `meant` exists only for a name that may be repeated.
 */
function noticeUnknown(name: string, meant: string | undefined): Notice {
  const isName = /^[A-Za-z][A-Za-z_]{0,39}$/.test(name) || meant?.includes('[')
  return {
    code: 'parameter.unknown',
    facts: { name: isName ? name : null, meant: meant ?? null },
  }
}

/** Longer names are not compared. */
const LONGEST = 40

/** Returns the parameter that was probably meant; undefined if none is close. */
function findNearest(name: string, fields: readonly string[]): string | undefined {
  if (fields.length === 0) return undefined
  const inBrackets = spellInBrackets(name, fields)
  if (inBrackets || name.length > LONGEST) return inBrackets
  const plain = name
    .replace(/[a-z](?=[A-Z])/g, '$&_')
    .replaceAll('-', '_')
    .toLowerCase()
  const reordered = fields.find((field) => sortLetters(field) === sortLetters(plain))
  if (reordered) return reordered
  const best = closest(plain, fields)
  return distance(plain, best) <= Math.max(1, Math.floor(best.length / 4)) ? best : undefined
}

/** A parameter whose keys follow dots, as some clients write them: `items[0].artno`. */
const DOTTED = /^[a-z_]+(?:(?:\.|\[)(?:[A-Za-z_]{1,40}|\d{1,3})\]?){1,5}$/

/** Returns `items[0][artno]` for `items[0].artno`; undefined for other names. */
function spellInBrackets(name: string, fields: readonly string[]): string | undefined {
  if (!name.includes('.') || !DOTTED.test(name)) return undefined
  const [parameter = '', ...keys] = name.split(/[.[\]]+/)
  return fields.includes(parameter) ? parameter + keys.map((key) => `[${key}]`).join('') : undefined
}

const sortLetters = (name: string) => [...name].sort().join('')
