import { afterAll } from 'vitest'
import { startGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts'

/**
 * Starts a gateway for all tests of a file or of a `describe`, and closes it after the last test.
 */
export async function sharedGateway(options?: TestGatewayOptions): Promise<TestGateway> {
  const gateway = await startGateway(options)
  afterAll(gateway.close)
  return gateway
}
