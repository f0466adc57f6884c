import { GatewayError } from '../../../mock-gateway/domain/errors/errors.ts'

/**
 * The name of the error that `work` is refused with, or `accepted`. Every other failure is passed
 * on.
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
