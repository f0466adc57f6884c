import { normalizeCharacters } from '../../../sdk/shared/typed-card.ts'
import { GatewayError } from '../errors/errors.ts'

/** Four digits MMYY, as sent and as returned (specification: card_expiry). */
const MMYY = /^(0[1-9]|1[0-2]) ?\/? ?([0-9]{2})$/

/**
 * Reads the expiry of a card: MMYY, with an optional slash or blanks between month and year.
 * @param now epoch milliseconds
 * @returns MMYY; a card is valid until the last moment of its month, UTC
 * @throws errors.card_expiry.missing, errors.card_expiry.invalid, errors.card.expired
 */
export function readExpiry(text: string | undefined, now: number): string {
  const written = normalizeCharacters(text ?? '').trim()
  if (written === '') {
    throw new GatewayError('errors.card_expiry.missing', {
      explain: 'The card expiry is missing. Send card_expiry as MMYY.',
    })
  }
  const match = MMYY.exec(written)
  if (match === null) {
    const explain =
      'The card expiry must be MMYY with a month from 01 to 12, such as 1230 for December 2030.'
    throw new GatewayError('errors.card_expiry.invalid', { explain })
  }
  const expiry = `${match[1]}${match[2]}`
  if (isExpired(expiry, now)) {
    throw new GatewayError('errors.card.expired', {
      explain: 'The card expired before the current month. Use another card.',
    })
  }
  return expiry
}

/** Returns true after the month of the expiry (MMYY); `now` in epoch milliseconds. */
export const isExpired = (expiry: string, now: number): boolean =>
  now >= calculateCardExpiry(expiry) + 1000

/**
 * Returns when a card expires: 23:59:59 UTC on the last day of the month (observed: 7.3). Years are
 * 2000 to 2099.
 * @param expiry MMYY as returned by `readExpiry`
 * @returns epoch milliseconds
 */
export function calculateCardExpiry(expiry: string): number {
  const month = Number(expiry.slice(0, 2))
  const year = 2000 + Number(expiry.slice(2))
  // Months count from 0, so this is the first second of the next month.
  return Date.UTC(year, month) - 1000
}
