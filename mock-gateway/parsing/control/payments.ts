import { entryByCode, entryByName, keyOf } from '../../domain/errors/errors.ts'
import { readCurrency } from '../../domain/money/currencies.ts'
import { LONGEST_CAPTURE, USUAL_CAPTURE } from '../../domain/order/capture-instruction.ts'
import { readWallet, WALLET_TYPES } from '../../domain/order/wallets.ts'
import type { NextOutcome, Operation } from '../../storage/next-outcomes.ts'
import { type Parameters, type Sent, text } from '../parameters/parameters.ts'
import { badFormat, pickOnly, readMerchantId, wholeNumber } from './read.ts'

/** What setting the next outcome takes, of a payment and of a capture. */
const NEXT_OUTCOME_FIELDS = {
  payment: ['outcome', 'times', 'wallet_type', 'chosen_currency'],
  capture: ['outcome', 'times', 'seconds'],
} as const

const MOST_TIMES = 1_000_000
const SECONDS = { least: 1, most: LONGEST_CAPTURE }

/** @throws errors.request.bad_format, errors.currency.* */
export function readNextOutcome(operation: Operation, parameters: Parameters): NextOutcome {
  const sent = pickOnly(parameters, NEXT_OUTCOME_FIELDS[operation])
  const written = text(sent, 'outcome') ?? ''
  const entry = entryByName(written) ?? entryByCode(Number(written))
  if (written !== 'approved' && !entry)
    throw badFormat('outcome must be approved, or an error by its name or number, such as errors.payment.declined')
  const { wallet_type: wallet, chosen_currency: currency } = sent as Sent<'wallet_type' | 'chosen_currency'>
  const isSet = (value: unknown) => value !== undefined && value !== ''
  const wallet_type = readWallet(wallet) ?? null
  if (isSet(wallet) && !wallet_type) throw badFormat(`wallet_type must be one of ${WALLET_TYPES.join(', ')}`)
  return {
    merchant_id: readMerchantId(parameters) ?? null,
    operation,
    outcome: entry ? keyOf(entry) : 'approved',
    seconds: operation === 'payment' ? 0 : (wholeNumber(sent, 'seconds', SECONDS) ?? USUAL_CAPTURE),
    times: wholeNumber(sent, 'times', { least: 1, most: MOST_TIMES }) ?? 1,
    wallet_type,
    chosen_currency: isSet(currency) ? readCurrency(text({ currency }, 'currency')) : null,
  }
}
