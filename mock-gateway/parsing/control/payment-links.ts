import { hasControlCharacters, isLongerThan } from '../../domain/characters.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import { readCurrency } from '../../domain/money/currencies.ts'
import { payableAmount } from '../../domain/money/money.ts'
import { isNumbered, readRefPattern } from '../../domain/order/payment-link.ts'
import type { NewPaymentLink } from '../../payments/payment-links.ts'
import { readReturnUrl } from '../order-fields.ts'
import { flag, type Parameters, text } from '../parameters/parameters.ts'
import type { Sender } from '../sender.ts'
import { readPlanId } from '../subscription-order.ts'
import { badFormat, pickOnly, readMoment, wholeNumber } from './read.ts'

/** Parameters of a payment link. */
export const PAYMENT_LINK_FIELDS = [
  'amount',
  'currency',
  'payment_ref',
  'description',
  'plan_id',
  'test',
  'success_url',
  'error_url',
  'expires_at',
  'uses',
] as const

/** Limit of an item's description, which it becomes (specification: Item). */
const DESCRIPTION_LENGTH = 150

const MOST_USES = 1_000_000

/**
 * Reads a payment link: by default for one test payment.
 * @throws errors.amount.missing, errors.amount.invalid_format and errors.amount.invalid,
 *   errors.currency.*, errors.payment_ref.invalid (also without `{n}` if the link takes several
 *   payments), errors.plan.invalid, errors.success_url.* and errors.error_url.*;
 *   errors.request.bad_format (253) for the rest
 */
export function readPaymentLink(
  parameters: Parameters,
  { addresses, now }: Pick<Sender, 'addresses' | 'now'>,
): NewPaymentLink {
  const sent = pickOnly(parameters, PAYMENT_LINK_FIELDS)
  const plan_id = readPlanId(sent) ?? null
  const currency = readCurrency(text(sent, 'currency'))
  const pattern = text(sent, 'payment_ref')
  const uses = wholeNumber(sent, 'uses', { least: 0, most: MOST_USES }) ?? 1
  const payment_ref = pattern === undefined ? undefined : readRefPattern(pattern)
  if (payment_ref !== undefined && uses !== 1 && !isNumbered(payment_ref))
    throw new GatewayError('errors.payment_ref.invalid', {
      explain:
        'Each order can be paid only once. If the link has several uses, put {n} into payment_ref, such as order-{n}.',
    })
  const expires_at = readMoment(sent, 'expires_at') ?? null
  if (expires_at !== null && expires_at <= now) throw badFormat('expires_at must be in the future.')
  return {
    amount: payableAmount(text(sent, 'amount'), currency, plan_id === null ? 1 : 0),
    currency,
    payment_ref,
    description: readDescription(text(sent, 'description') ?? ''),
    plan_id,
    test: flag(sent, 'test') ?? true,
    success_url: readReturnUrl(sent, 'success_url', addresses, undefined) ?? null,
    error_url: readReturnUrl(sent, 'error_url', addresses, undefined) ?? null,
    expires_at,
    uses,
  }
}

function readDescription(description: string): string {
  if (!isLongerThan(description, DESCRIPTION_LENGTH) && !hasControlCharacters(description))
    return description
  throw badFormat(`description may have at most ${DESCRIPTION_LENGTH} characters on one line.`)
}

/** @throws errors.not_found (196) */
export function readPaymentLinkId(written: string | undefined): number {
  const id = readId(written ?? '')
  if (id !== undefined) return id
  throw new GatewayError('errors.not_found', {
    explain: 'The id of a payment link must be a whole number.',
  })
}
