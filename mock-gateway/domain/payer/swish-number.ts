import { GatewayError } from '../errors/errors.ts'

/**
 * Reads the payer's phone number for Swish. Blanks, dashes and brackets are removed; a number in
 * Swedish form, such as 070-123 45 67, gets the country code (our decision).
 * @returns digits, beginning with 46 (observed: 11.5)
 * @throws errors.missing_or_invalid.phone_number (215)
 */
export function readSwishNumber(typed: string | undefined): string {
  const digits = (typed ?? '')
    .replace(/[\s()-]/g, '')
    .replace(/^(\+|00)/, '')
    .replace(/^0/, '46')
  if (/^46[1-9]\d{6,10}$/.test(digits)) return digits
  throw new GatewayError('errors.missing_or_invalid.phone_number', {
    explain: 'swish_number must be a Swedish phone number such as 46701234567 or 070-123 45 67.',
  })
}
