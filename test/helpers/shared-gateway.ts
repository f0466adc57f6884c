import { startGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts'
import { share } from './shared.ts'

/**
 * Starts a gateway for all tests of a file or of a `describe`, and closes it after the last test.
 */
export const sharedGateway = (options?: TestGatewayOptions): Promise<TestGateway> =>
  share(startGateway(options))
