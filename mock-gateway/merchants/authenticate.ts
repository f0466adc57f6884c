import { hash } from 'node:crypto'
import { GatewayError } from '../domain/errors/errors.ts'
import { readId } from '../domain/identifiers.ts'
import type { Merchant, MerchantSettings } from '../domain/merchant.ts'
import { listValidSecrets } from '../domain/secrets.ts'
import type { WebhookOverrides } from '../domain/webhook/template.ts'
import type { Database } from '../storage/database.ts'
import { describeLogin } from '../storage/login-failures.ts'
import { findMerchantFacts, findMerchantLogin, type MerchantFacts } from '../storage/merchants.ts'
import { createGuesses, refuseLocked } from './guesses.ts'
import {
  createVerifiedPasswords,
  DUMMY_PASSWORD_HASH,
  type VerifiedPasswords,
  verifyPassword,
} from './password.ts'
import type { SessionPasses } from './sessions.ts'

/** Credentials, with the address of the request. */
interface Credentials {
  readonly username: string
  readonly password: string
  readonly address: string
}

export type Authenticator = ReturnType<typeof createAuthenticator>

const UNLOCKS = 'set a new password'

/**
 * Checks user names and passwords of HTTP Basic authentication.
 * @param verified passwords that are known to be correct, such as those of the configured merchants
 * @param passes passwords of the gateway's own, which no lock affects
 */
export function createAuthenticator(
  database: Database,
  verified: VerifiedPasswords = createVerifiedPasswords(),
  passes?: Pick<SessionPasses, 'isPass'>,
) {
  const takeGuess = createGuesses(database)

  /**
   * Returns the merchant with this id and password. An unknown user name and a wrong password give
   * the same answer in the same time. Both are counted and locked by address, so that guesses from
   * one address do not lock out the merchant's own servers (decisions 16 and 20).
   * @param now epoch milliseconds
   * @throws errors.authentication.failed (182), errors.account.locked (207)
   */
  async function login(
    { username, password, address }: Credentials,
    now: number,
  ): Promise<Merchant> {
    let merchant = await byUsername(username, address)
    if (merchant && passes?.isPass(username, password)) return toMerchant(merchant)
    refuseLocked(merchant?.locked_until, now, UNLOCKS)
    const isKnown = () => hashesAt(merchant, now).some((each) => verified.has(each, password))
    // Shortcut: a password that was verified before needs no scrypt, and there are no failures to
    // delete.
    if (merchant?.failures === null && isKnown()) return toMerchant(merchant)
    const name = merchant ? username : unknownName(username)
    const guess = {
      who: describeLogin(name, address),
      clock: merchant ? name : ANY_UNKNOWN,
      now,
      unlocks: UNLOCKS,
    }
    const isKnownNow = async () => {
      merchant = await byUsername(username, address)
      return isKnown()
    }
    const isRight = async () => {
      const hashes = merchant ? hashesAt(merchant, now) : [DUMMY_PASSWORD_HASH]
      const matches = await Promise.all(hashes.map((each) => verifyPassword(password, each)))
      for (const each of hashes.filter((_hash, index) => matches[index]))
        verified.add(each, password)
      return matches.includes(true)
    }
    if (!(await takeGuess(guess, isKnownNow, isRight)) || !merchant)
      throw new GatewayError('errors.authentication.failed', {
        explain:
          'Login failed. Send the merchant id as the user name, and the API password as the password.',
      })
    return toMerchant(merchant)
  }

  async function byUsername(username: string, address: string) {
    const id = readId(username)
    return id === undefined ? undefined : findMerchantLogin(database.db, id, address)
  }

  return {
    login,
    /** Finds a merchant that proves itself otherwise, by a hash. */
    async find(merchantId: number): Promise<Merchant | undefined> {
      const row = await findMerchantFacts(database.db, merchantId)
      return row && toMerchant(row)
    },
  }
}

/**
 * Returns the hashes of the passwords that are valid at a time. After a rotation, the previous
 * password stays valid for a while.
 */
function hashesAt(merchant: MerchantFacts | undefined, now: number): readonly string[] {
  if (!merchant) return []
  const {
    password_hash,
    previous_password_hash: previous,
    previous_password_until: until,
  } = merchant
  return listValidSecrets(now, password_hash, { value: previous, until })
}

/** A merchant as the use cases know it. */
const toMerchant = ({
  id,
  name,
  secret,
  settings,
  webhook_overrides,
  ...facts
}: MerchantFacts): Merchant => ({
  id,
  name,
  secret,
  previousSecret: { value: facts.previous_secret, until: facts.previous_secret_until },
  settings: withOverrides(settings, webhook_overrides),
})

function withOverrides(
  settings: MerchantSettings,
  { templates, delivery }: WebhookOverrides,
): MerchantSettings {
  if (!templates && !delivery) return settings
  return {
    ...settings,
    webhooks: [...settings.webhooks, ...(templates ?? [])],
    webhook_delivery: { ...settings.webhook_delivery, ...delivery },
  }
}

/** Hashes an unknown user name, which may be a password typed in the wrong field. */
const unknownName = (username: string): string => hash('sha256', username, 'base64url')

/** Each of those digests, as SQL's LIKE has it. */
const ANY_UNKNOWN = '_'.repeat(unknownName('').length)
