import { GatewayError } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import { nameForExplain } from '../../domain/json.ts'
import {
  type CallParameters,
  integer,
  type Parameters,
  pick,
  text,
} from '../parameters/parameters.ts'

/** Parameters of every call of the control API. */
const COMMON_PARAMETERS = ['locale', 'merchant_id']

/**
 * Picks the parameters that a call reads, and rejects all others: a misspelt name could inject a
 * fault without effect, or move the common clock.
 * @throws errors.request.bad_format
 */
export function pickOnly<Name extends string>(
  parameters: Parameters,
  names: readonly Name[],
): CallParameters<Name> {
  const known: readonly string[] = [...names, ...COMMON_PARAMETERS]
  const unknown = Object.keys(parameters).find((name) => !known.includes(name))
  if (unknown === undefined) return pick(parameters, names)
  throw badFormat(
    `${nameForExplain(unknown)} is not a parameter of this call. Its parameters are ${known.join(', ')}.`,
  )
}

/** @throws errors.merchant.not_found (104) if it is not an id */
export function readMerchantId(parameters: Parameters): number | undefined {
  const sent = text(parameters, 'merchant_id')
  if (sent === undefined) return undefined
  const id = readId(sent)
  if (id !== undefined) return id
  throw new GatewayError('errors.merchant.not_found', {
    explain: 'merchant_id must be the id of a merchant.',
  })
}

/** @throws errors.request.bad_format */
export function wholeNumber<Name extends string>(
  sent: CallParameters<NoInfer<Name>>,
  name: Name,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  const value = integer(sent, name, 'errors.request.bad_format')
  if (value === undefined || (value >= least && value <= most)) return value
  throw badFormat(`${name} must be a whole number from ${least} to ${most}.`)
}

const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/

/**
 * Reads a moment in ISO 8601; a day means its start in UTC. @returns epoch milliseconds @throws
 * errors.request.bad_format
 */
export function readMoment<Name extends string>(
  sent: CallParameters<NoInfer<Name>>,
  name: Name,
): number | undefined {
  const written = text(sent, name)
  if (written === undefined) return undefined
  // A + in a query is decoded to a blank.
  const moment = ISO.test(written.replace(' ', '+'))
    ? Date.parse(written.replace(' ', '+'))
    : Number.NaN
  if (!Number.isNaN(moment)) return moment
  throw badFormat(
    `${name} must be a time such as 2026-04-01T12:00:00Z, or a day such as 2026-04-01.`,
  )
}

export const badFormat = (explain: string): GatewayError =>
  new GatewayError('errors.request.bad_format', { explain })
