import { GatewayError } from '../domain/errors/errors.ts'
import {
  createBadValue,
  type FieldType,
  type Listing,
  type ResourceFields,
  readFilter,
  readInteger,
} from '../domain/listing.ts'
import { type CallParameters, object, type Parameters, text } from './parameters/parameters.ts'

/** Parameters of every list. */
export const LISTING_FIELDS = ['limit', 'offset', 'start_id', 'order_by', 'filter'] as const

const DEFAULT_LIMIT = 10

/** Maximum page size; a larger `limit` returns this many rows (our decision). */
const MAX_LIMIT = 1000

/**
 * Reads limit, offset, start_id, order_by and filter[...] of a list call (specification: Listing).
 * By default the newest rows come first (decision 10); a start_id of 0 is ignored (our decision).
 * @throws errors.filter_parameter.not_supported (unknown field), errors.filter_value.not_supported
 *   (any bad value)
 */
export function readListing(
  parameters: CallParameters<(typeof LISTING_FIELDS)[number]>,
  fields: ResourceFields,
): Listing {
  const filters = object(parameters, 'filter', 'errors.filter_parameter.not_supported') ?? {}
  return {
    limit: Math.min(readWholeNumber(parameters, 'limit', 1) ?? DEFAULT_LIMIT, MAX_LIMIT),
    offset: readWholeNumber(parameters, 'offset', 0) ?? 0,
    startId: readWholeNumber(parameters, 'start_id', 0) || undefined,
    order: readOrder(text(parameters, 'order_by'), fields),
    filters: Object.entries(filters).flatMap(([field, value]) =>
      readFilter(field, getFieldType(field, fields), value),
    ),
  }
}

function readWholeNumber<Name extends string>(
  parameters: CallParameters<Name>,
  name: Name,
  least: number,
): number | undefined {
  const sent = text(parameters, name)
  if (sent === undefined) return undefined
  const value = readInteger(sent)
  if (value === undefined || value < least)
    throw createBadValue(`${name} must be a whole number from ${least} upwards.`)
  return value
}

function readOrder(sent: string | undefined, fields: ResourceFields): Listing['order'] {
  if (sent === undefined) return { field: 'id', direction: 'desc' }
  const [field = '', written = 'asc', ...more] = sent.split(':')
  const direction = written.toLowerCase()
  getFieldType(field, fields)
  if (more.length > 0 || (direction !== 'asc' && direction !== 'desc')) {
    throw createBadValue(
      'order_by must be the name of a field, followed by :asc, :desc or nothing.',
    )
  }
  return { field, direction }
}

function getFieldType(field: string, fields: ResourceFields): FieldType {
  const type = Object.hasOwn(fields, field) ? fields[field] : undefined
  if (type !== undefined) return type
  const explain = `Lists of this kind can be filtered and ordered by ${Object.keys(fields).join(', ')}.`
  throw new GatewayError('errors.filter_parameter.not_supported', { explain })
}

/**
 * Objects that a payer may see in full: the card just typed (observed: 6.8), but no data of the
 * merchant.
 */
const OPEN_TO_PAYERS: ReadonlySet<string> = new Set(['stored_card'])

/**
 * Reads the names in `extend`, comma-separated or as a list; unknown ones are ignored (observed:
 * 6.8). It is read after the work is done, so it never throws.
 */
export function readExtend(
  parameters: Parameters,
  { loggedIn }: { readonly loggedIn: boolean },
): ReadonlySet<string> {
  const sent = parameters.extend
  const written =
    typeof sent === 'object' && sent !== null
      ? Object.values(sent)
      : (text(parameters, 'extend') ?? '').split(',')
  const names = written
    .filter((name) => typeof name === 'string')
    .map((name) => name.trim().toLowerCase())
  return new Set(names.filter((name) => name !== '' && (loggedIn || OPEN_TO_PAYERS.has(name))))
}
