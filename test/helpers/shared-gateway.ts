import { afterAll } from 'vitest'
import { startGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts'

/** One for all tests of a file, or of a `describe`; it is closed after the last of them. */
export async function sharedGateway(options?: TestGatewayOptions): Promise<TestGateway> {
  const gateway = await startGateway(options)
  afterAll(gateway.close)
  return gateway
}
