import { FAULT_KINDS, type FaultKind, isTimed } from '../../domain/fault-kinds.ts'
import { type Parameters, text } from '../parameters/parameters.ts'
import { badFormat, pickOnly, readMerchantId, wholeNumber } from './read.ts'

/** Parameters of a fault. */
const FAULT_FIELDS = [
  'kind',
  'milliseconds',
  'method',
  'path',
  'times',
  'seconds',
  'probability',
  'seed',
] as const

/** Methods of the requests that a fault can affect. */
export const FAULT_METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD']

const LONGEST_MS = 120_000
const MOST_SECONDS = 86_400
const MOST_TIMES = 1_000_000
const LONGEST = 200

/** A fault to inject. Null matches everything. */
export interface InjectFault {
  readonly kind: FaultKind
  /** For latency and late_answer. */
  readonly milliseconds: number
  /** In capitals. */
  readonly method: string | null
  /** Prefix of the request's path. */
  readonly path: string | null
  /** Affects requests after the merchant is authenticated. */
  readonly merchant_id: number | null
  /** Number of requests to affect; null: until the fault is deleted. */
  readonly times: number | null
  /** Duration by the machine's clock; null: `times` decides. */
  readonly seconds: number | null
  /** Fraction of the matching requests, above 0 and up to 1. */
  readonly probability: number
  /** Random seed: the same requests are affected each time. */
  readonly seed: string
}

/**
 * Reads a fault: for one request, unless `times` differs; 0 means until it is deleted. @throws
 * errors.request.bad_format
 */
export function readFault(parameters: Parameters): InjectFault {
  const sent = pickOnly(parameters, FAULT_FIELDS)
  const kind = FAULT_KINDS.find((each) => each === text(sent, 'kind'))
  if (!kind) throw badFormat(`kind must be one of ${FAULT_KINDS.join(', ')}.`)
  const milliseconds = wholeNumber(sent, 'milliseconds', { least: 1, most: LONGEST_MS })
  if (isTimed(kind) !== (milliseconds !== undefined))
    throw badFormat(
      'milliseconds is the length of a latency or late_answer. Send it with these kinds, and only with them.',
    )
  const method = text(sent, 'method')?.toUpperCase() ?? null
  if (method !== null && !FAULT_METHODS.includes(method))
    throw badFormat(`method must be one of ${FAULT_METHODS.join(', ')}.`)
  const path = text(sent, 'path') ?? null
  if (path !== null && (!path.startsWith('/') || path.length > LONGEST))
    throw badFormat('path must be the start of a path, such as /v1/transactions.')
  const seconds = wholeNumber(sent, 'seconds', { least: 1, most: MOST_SECONDS }) ?? null
  const times =
    wholeNumber(sent, 'times', { least: 0, most: MOST_TIMES }) ?? (seconds === null ? 1 : 0)
  const seed = text(sent, 'seed') ?? ''
  if (seed.length > LONGEST) throw badFormat(`seed may have at most ${LONGEST} characters.`)
  return {
    kind,
    milliseconds: milliseconds ?? 0,
    method,
    path,
    merchant_id: readMerchantId(parameters) ?? null,
    times: times === 0 ? null : times,
    seconds,
    probability: readProbability(text(sent, 'probability')),
    seed,
  }
}

function readProbability(written = '1'): number {
  if (/^(?:0?\.\d{1,9}|1(?:\.0+)?)$/.test(written) && Number(written) > 0) return Number(written)
  throw badFormat('probability must be a number above 0 and at most 1, such as 0.25.')
}
