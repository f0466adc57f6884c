import type { Ambient } from '../domain/ambient.ts'

type RandomBytes = Ambient['randomBytes']

/** The code a bank gives to an authorization: six digits. */
export const authCode = (randomBytes: RandomBytes): string =>
  String(Buffer.from(randomBytes(4)).readUInt32BE() % 1_000_000).padStart(6, '0')

/** A bank's own id of a payment, marked as simulated: `sim_` and 16 hexadecimal characters. */
export const providerRef = (randomBytes: RandomBytes): string =>
  `sim_${Buffer.from(randomBytes(8)).toString('hex')}`
