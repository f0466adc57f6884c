import type { Ambient } from '../domain/ambient.ts'

type RandomBytes = Ambient['randomBytes']

/** Creates the code of an authorization: six digits. */
export const authCode = (randomBytes: RandomBytes): string =>
  String(Buffer.from(randomBytes(4)).readUInt32BE() % 1_000_000).padStart(6, '0')

/**
 * Creates the bank's own id of a payment: `sim_`, which shows that it is simulated, and 16
 * hexadecimal characters.
 */
export const providerRef = (randomBytes: RandomBytes): string =>
  `sim_${Buffer.from(randomBytes(8)).toString('hex')}`
