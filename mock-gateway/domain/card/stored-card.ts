import { GatewayError } from '../errors/errors.ts'
import { isExpired } from './expiry.ts'

/** The columns that decide whether a stored card can be charged. */
export interface ChargeableCard {
  readonly status: 'active' | 'cancelled'
  /** True for a card stored with test=true. */
  readonly test: boolean
  /** MMYY */
  readonly card_expiry: string
}

/**
 * Rejects a stored card that cannot be charged.
 * @param test mode of the payment; undefined if the card decides
 * @param now epoch milliseconds
 * @throws errors.stored_card.not_active (150), errors.stored_card.not_test (167),
 *   errors.stored_card.is_test (168), errors.card.expired (130)
 */
export function checkChargeable(
  card: ChargeableCard,
  test: boolean | undefined,
  now: number,
): void {
  if (card.status !== 'active')
    throw new GatewayError('errors.stored_card.not_active', {
      explain: 'The stored card was cancelled. Use another card.',
    })
  if (test === true && !card.test)
    throw new GatewayError('errors.stored_card.not_test', {
      explain: 'The card was stored with test=false, so it cannot pay with test=true.',
    })
  if (test === false && card.test)
    throw new GatewayError('errors.stored_card.is_test', {
      explain: 'The card was stored with test=true, so it can pay only with test=true.',
    })
  if (isExpired(card.card_expiry, now))
    throw new GatewayError('errors.card.expired', {
      explain: 'The stored card expired before the current month. Use another card.',
    })
}
