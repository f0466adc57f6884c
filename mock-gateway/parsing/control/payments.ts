import { entryByCode, entryByName, keyOf } from '../../domain/errors/errors.ts'
import type { JsonValue } from '../../domain/json.ts'
import { type CurrencyConversion, readConversion } from '../../domain/money/currency-conversion.ts'
import { LONGEST_CAPTURE, USUAL_CAPTURE } from '../../domain/order/capture-instruction.ts'
import { readWallet, WALLET_TYPES } from '../../domain/order/wallets.ts'
import type { NextOutcome, Operation } from '../../storage/next-outcomes.ts'
import { type CallParameters, object, type Parameters, text } from '../parameters/parameters.ts'
import { badFormat, pickOnly, readMerchantId, wholeNumber } from './read.ts'

/** Parameters of the next outcome of a payment and of a capture. */
const NEXT_OUTCOME_FIELDS = {
  payment: ['outcome', 'times', 'wallet_type', 'currency_converter'],
  capture: ['outcome', 'times', 'seconds'],
} as const

/** @throws errors.request.bad_format */
function readNextConversion(value: JsonValue | undefined): CurrencyConversion {
  const conversion = readConversion(object({ value }, 'value', 'errors.request.bad_format'))
  if (conversion) return conversion
  throw badFormat(
    'currency_converter must be an object such as {"currency": "eur", "rate": "0.0880"}.',
  )
}

const MOST_TIMES = 1_000_000
const SECONDS = { least: 1, most: LONGEST_CAPTURE }

/** @throws errors.request.bad_format, errors.currency.* */
export function readNextOutcome(operation: Operation, parameters: Parameters): NextOutcome {
  const sent = pickOnly(parameters, NEXT_OUTCOME_FIELDS[operation])
  const written = text(sent, 'outcome') ?? ''
  const entry = entryByName(written) ?? entryByCode(Number(written))
  if (written !== 'approved' && !entry)
    throw badFormat(
      'outcome must be approved, or the name or code of an error, such as errors.payment.declined.',
    )
  const { wallet_type: wallet, currency_converter } = sent as CallParameters<
    'wallet_type' | 'currency_converter'
  >
  const isSet = (value: unknown) => value !== undefined && value !== ''
  const wallet_type = readWallet(wallet) ?? null
  if (isSet(wallet) && !wallet_type)
    throw badFormat(`wallet_type must be one of ${WALLET_TYPES.join(', ')}.`)
  return {
    merchant_id: readMerchantId(parameters) ?? null,
    operation,
    outcome: entry ? keyOf(entry) : 'approved',
    seconds: operation === 'payment' ? 0 : (wholeNumber(sent, 'seconds', SECONDS) ?? USUAL_CAPTURE),
    times: wholeNumber(sent, 'times', { least: 1, most: MOST_TIMES }) ?? 1,
    wallet_type,
    currency_converter: isSet(currency_converter) ? readNextConversion(currency_converter) : null,
  }
}
