import { GatewayError } from '../../../mock-gateway/domain/errors/errors.ts'

/**
 * Returns the name of the error with which `work` is rejected, or `accepted`.
 * @throws every other error
 */
export function refusal(work: () => unknown): string {
  try {
    work()
    return 'accepted'
  } catch (error) {
    if (error instanceof GatewayError) return error.entry.name
    throw error
  }
}
