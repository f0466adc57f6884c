/**
 * Scenarios that each test kit passes. The suite of each language has a test with each of these
 * names.
 */
export const SCENARIOS = [
  'pays and receives the webhook',
  'recognises the mock',
  'lets the bank decline the next payment',
  'moves its own clock',
  'lists a rejected request with its explanation',
  'finds a request by its values, or names the nearest',
  'waits for a charge by moving its clock',
  'names the webhooks that came instead',
  'holds the webhooks of one order until their release',
  'signs an order',
  'resets its own merchant only',
  'saves and restores a snapshot',
] as const

/**
 * Test that fails if the variable FAIL is set, so that its report contains the merchant's requests.
 */
export const FAILING = 'fails with its requests in the report'
