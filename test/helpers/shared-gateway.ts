import { onTestFinished } from 'vitest'
import { startGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts'
import { share } from './shared.ts'

/**
 * Starts a gateway for all tests of a file or of a `describe`, and closes it after the last test.
 */
export const sharedGateway = (options?: TestGatewayOptions): Promise<TestGateway> =>
  share(startGateway(options))

/** Starts a gateway for one test, and closes it after the test. */
export async function openGateway(options?: TestGatewayOptions): Promise<TestGateway> {
  const gateway = await startGateway(options)
  onTestFinished(gateway.close)
  return gateway
}
