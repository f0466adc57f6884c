import { expect, test } from 'vitest'
import { readSettings } from '../../../mock-gateway/cli/settings.ts'
import {
  createGateway,
  DEFAULT_MERCHANT,
  type GatewayOptions,
} from '../../../mock-gateway/gateway.ts'

const LOCAL = 'http://localhost:4400'

/** Invalid options of createGateway and of the command line, with their errors. */
test.each<[string, unknown, readonly string[], Readonly<Record<string, string>>]>([
  [
    'must be an address such as http://localhost:4400, without user name or query.',
    { addresses: { base: 'localhost:4400', pay: LOCAL, cdn: LOCAL } },
    [],
    { BASE_URL: 'localhost:4400' },
  ],
  [
    'must begin with postgres://.',
    { database: 'mysql://shop' },
    ['--database', 'mysql://shop'],
    {},
  ],
])('%s', async (message, options, argv, env) => {
  await expect(createGateway(options as GatewayOptions)).rejects.toThrow(message)
  await expect(readSettings(argv, env)).rejects.toThrow(message)
})

test.each<[string, unknown, string]>([
  [
    'an invalid name',
    { databse: 'memory' },
    'There is no option "databse". The options of createGateway are database, addresses,',
  ],
  ['no merchant', { merchants: [] }, 'The option merchants cannot be used: '],
  [
    'a short password',
    { merchants: [{ ...DEFAULT_MERCHANT, password: 'short' }] },
    'cannot be used: [0].password: Too small',
  ],
])('createGateway refuses %s', async (_what, options, message) => {
  await expect(createGateway(options as GatewayOptions)).rejects.toThrow(message)
})
