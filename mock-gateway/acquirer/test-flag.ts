import { testCard } from '../domain/card/test-cards.ts'
import { GatewayError } from '../domain/errors/errors.ts'

/**
 * Checks that test cards pay only with test=true, and all other cards only with test=false
 * (specification: Test-mode behavior).
 * @param number digits only
 * @throws errors.card_number.invalid
 */
export function checkTestFlag(number: string, test: boolean): void {
  const isTestCard = testCard(number) !== undefined
  if (isTestCard === test) return
  const explain = test
    ? 'With test=true, only test card numbers are accepted. The home page of the gateway lists them.'
    : 'Test card numbers are accepted only with test=true.'
  throw new GatewayError('errors.card_number.invalid', { explain })
}
