import { hash } from 'node:crypto'
import { GatewayError } from '../domain/errors/errors.ts'
import { readId } from '../domain/identifiers.ts'
import type { Merchant, MerchantSettings } from '../domain/merchant.ts'
import type { WebhookOverrides } from '../domain/webhook/template.ts'
import type { Database } from '../storage/database.ts'
import {
  clearLoginFailures,
  countLoginFailure,
  findLoginFailures,
  forgetLoginFailures,
  lockLogin,
  loginFrom,
} from '../storage/login-failures.ts'
import { findMerchant, findMerchantLogin, type MerchantFacts } from '../storage/merchants.ts'
import { createVerifiedPasswords, NO_PASSWORD, type VerifiedPasswords, verifyPassword } from './password.ts'

/** Failures in a row that lock an account (our decision; PCI DSS 8.3.4 allows at most ten). */
export const LOCK_AFTER = 10
/** Milliseconds an account stays locked (specification: Authentication, 4). */
export const LOCK_MS = 30 * 60_000

/** What somebody logs in with, and the address that the request comes from. */
export interface Login {
  readonly username: string
  readonly password: string
  readonly address: string
}

/** Checks user names and passwords of HTTP Basic authentication. */
export interface Authenticator {
  /**
   * The merchant with this id and password. A user name that no merchant has and a wrong password give the same
   * answer in the same time, and are counted and locked alike, for each address apart: whoever guesses from one does not
   * shut the merchant's own servers out (our decision).
   * @param now epoch milliseconds
   * @throws errors.authentication.failed (182), errors.account.locked (207)
   */
  login(login: Login, now: number): Promise<Merchant>
  /** A merchant that proves itself otherwise, by a hash. */
  find(merchantId: number): Promise<Merchant | undefined>
}

/** @param verified passwords that are known to be right already, as those of the merchants at start */
export function createAuthenticator(
  database: Database,
  verified: VerifiedPasswords = createVerifiedPasswords(),
): Authenticator {
  const turns = createTurns()

  async function login({ username, password, address }: Login, now: number): Promise<Merchant> {
    const merchant = await byUsername(username, address)
    refuseLocked(merchant?.locked_until, now)
    // The quick way: a password that was verified before costs no scrypt, and there are no failures to forget.
    if (merchant?.failures === null && verified.has(merchant.password_hash, password)) return toMerchant(merchant)
    const who = loginFrom(merchant ? username : unknownName(username), address)
    return turns.take(who, () => firstLogin({ username, password, address }, who, now))
  }

  async function firstLogin({ username, password, address }: Login, who: string, now: number): Promise<Merchant> {
    const merchant = await byUsername(username, address)
    refuseLocked((merchant ?? (await findLoginFailures(database.db, who)))?.locked_until, now)
    const passwordHash = merchant?.password_hash ?? NO_PASSWORD
    const right = verified.has(passwordHash, password) || (await verifyPassword(password, passwordHash))
    if (right && merchant) {
      await database.write((queries) => clearLoginFailures(queries, who))
      verified.add(passwordHash, password)
      return toMerchant(merchant)
    }
    await countFailure(who, merchant ? username : ANY_UNKNOWN, now)
    throw new GatewayError('errors.authentication.failed', {
      explain: 'The user name is the merchant id, the password the API password; this pair is not known',
    })
  }

  async function byUsername(username: string, address: string) {
    const id = readId(username)
    return id === undefined ? undefined : findMerchantLogin(database.db, id, address)
  }

  /** A lock that begins in the future was made before the clock was set back: it would last that much longer. */
  function refuseLocked(until: number | null | undefined, now: number) {
    if (!until || until <= now || until - LOCK_MS > now) return
    throw new GatewayError('errors.account.locked', {
      explain: `Locked until ${new Date(until).toISOString()} after ${LOCK_AFTER} failed logins in a row from this address; a password reset unlocks`,
    })
  }

  /** @param clock names whose failures are counted by the same clock: no other may forget them */
  function countFailure(who: string, clock: string, now: number): Promise<void> {
    return database.write(async (queries) => {
      await forgetLoginFailures(queries, clock, now - LOCK_MS)
      const failures = await countLoginFailure(queries, who, now)
      if (failures % LOCK_AFTER === 0) await lockLogin(queries, who, now + LOCK_MS)
    })
  }

  return {
    login,
    async find(merchantId) {
      const row = await findMerchant(database.db, merchantId)
      return row && toMerchant(row)
    },
  }
}

/** A merchant as the use cases know it. */
const toMerchant = ({ id, name, secret, settings, webhook_overrides }: MerchantFacts): Merchant => ({
  id,
  name,
  secret,
  settings: withOverrides(settings, webhook_overrides),
})

function withOverrides(settings: MerchantSettings, { templates, delivery }: WebhookOverrides): MerchantSettings {
  if (!templates && !delivery) return settings
  return {
    ...settings,
    webhooks: [...settings.webhooks, ...(templates ?? [])],
    webhook_delivery: delivery ?? settings.webhook_delivery,
  }
}

/** What no merchant is called may be anything, a password typed in the wrong box too: of it only a digest is kept. */
const unknownName = (username: string): string => hash('sha256', username, 'base64url')

/** Each of those digests, as SQL's LIKE has it. */
const ANY_UNKNOWN = '_'.repeat(unknownName('').length)

/** One verification at a time for a user name and address, so that parallel guesses cannot outrun the count. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>()
  return {
    take<T>(name: string, work: () => Promise<T>): Promise<T> {
      const turn = (last.get(name) ?? Promise.resolve()).then(work, work)
      last.set(name, turn)
      const leave = () => {
        if (last.get(name) === turn) last.delete(name)
      }
      turn.then(leave, leave)
      return turn
    },
  }
}
