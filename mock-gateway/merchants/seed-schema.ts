import { createPrivateKey } from 'node:crypto'
import { z } from 'zod'
import { LAST_ID } from '../domain/identifiers.ts'
import { OptionError } from '../domain/options.ts'
import { PRESET_NAMES } from '../domain/presets.ts'
import { formatProblems, parseList } from '../domain/schema-problems.ts'
import { givenSettings } from '../domain/setting-schema.ts'
import type { MerchantSeed } from './seed.ts'

/** Schema of an id in a configuration or a fixture. */
export const rowId = z.int().positive().max(LAST_ID)

export const merchantSeed = z.strictObject({
  id: rowId,
  name: z.string().min(1).max(100).optional(),
  password: z.string().min(6),
  secret: z.string().min(1),
  private_key: z
    .string()
    .refine(isStrongRsaKey, 'must be the PEM of an RSA private key of at least 2048 bits')
    .optional(),
  settings: givenSettings.default({}),
  preset: z.enum(PRESET_NAMES).optional(),
}) satisfies z.ZodType<unknown, MerchantSeed>

/**
 * Reads configured merchants.
 * @param what the source, for the beginning of a sentence
 * @throws OptionError with the mistake and its place
 */
export function readMerchantSeeds(value: unknown, what: string): MerchantSeed[] {
  const result = parseList(merchantSeed).min(1).safeParse(value)
  if (result.success) return result.data
  throw new OptionError(`${what} cannot be used: ${formatProblems(result.error)}.`)
}

function isStrongRsaKey(pem: string): boolean {
  try {
    const key = createPrivateKey(pem)
    return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
  } catch {
    return false
  }
}
