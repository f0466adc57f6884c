import { hash, timingSafeEqual } from 'node:crypto'
import type { Ambient } from '../domain/ambient.ts'
import type { Database } from '../storage/database.ts'
import { findMerchant } from '../storage/merchants.ts'
import { compare, deleteRows, findOne, insertRow } from '../storage/rows.ts'
import type { ConsoleSessionTable } from '../storage/tables/logins.ts'

/** Length of a session, in milliseconds of the machine (our decision). */
export const SESSION_MS = 12 * 60 * 60_000

/**
 * Milliseconds of the machine for which a ticket opens the console, long enough for a browser to
 * start.
 */
const TICKET_MS = 60_000

/** The user of a console session. */
export interface Operator {
  /** Merchant of the session. Undefined: the administrator, who sees every merchant. */
  readonly merchantId: number | undefined
}

export interface SessionDependencies {
  readonly database: Database
  readonly randomBytes: Ambient['randomBytes']
  /** Epoch milliseconds of the machine: a session lasts as long wherever a clock is moved. */
  readonly machine: () => number
  /** Undefined if there is no administrator. */
  readonly controlKey: string | undefined
}

export type Sessions = ReturnType<typeof createSessions>

/**
 * Console sessions, stored in the database: every gateway on it knows them, and they survive a
 * restart. A new password or control key ends the sessions that it replaces (decision 7).
 */
export function createSessions({
  database,
  randomBytes,
  machine,
  controlKey,
}: SessionDependencies) {
  /** Returns the operator's current credential. */
  async function findProof({ merchantId }: Operator): Promise<string | undefined> {
    const known =
      merchantId === undefined
        ? controlKey
        : (await findMerchant(database.db, merchantId))?.password_hash
    return known === undefined ? undefined : digest(known)
  }

  /** @returns a random token; only the digest of it and its prefix is stored */
  async function keep(prefix: string, operator: Operator, lasts: number): Promise<string> {
    const token = createToken(randomBytes)
    const row: ConsoleSessionTable = {
      token_hash: digest(prefix + token),
      merchant_id: operator.merchantId ?? null,
      proof: (await findProof(operator)) ?? '',
      expires_at: machine() + lasts,
    }
    await database.write(async (queries) => {
      await deleteRows(queries, 'console_sessions', { expires_at: compare('<=', machine()) })
      await insertRow(queries, 'console_sessions', row)
    })
    return token
  }

  async function find(token: string): Promise<Operator | undefined> {
    const row = await findOne(database.db, 'console_sessions', {
      token_hash: digest(token),
      expires_at: compare('>', machine()),
    })
    if (!row) return undefined
    const operator = { merchantId: row.merchant_id ?? undefined }
    const proof = await findProof(operator)
    return proof !== undefined && isSame(proof, row.proof) ? operator : undefined
  }
  async function end(token: string): Promise<void> {
    const token_hash = digest(token)
    await database.write((queries) => deleteRows(queries, 'console_sessions', { token_hash }))
  }

  return {
    /** @returns the token of a new session */
    begin: (operator: Operator) => keep('', operator, SESSION_MS),
    find,
    end,
    /** @returns a token for an address that starts a session once, within a minute */
    beginTicket: (operator: Operator) => keep(TICKET, operator, TICKET_MS),
    /**
     * Uses up a ticket.
     * @returns the user of the new session; undefined if the ticket is used or expired
     */
    async useTicket(ticket: string): Promise<Operator | undefined> {
      const operator = await find(TICKET + ticket)
      if (operator) await end(TICKET + ticket)
      return operator
    },
  }
}

/** Creates a token of 256 random bits, which cannot be guessed while it is valid. */
const createToken = (randomBytes: Ambient['randomBytes']): string =>
  Buffer.from(randomBytes(32)).toString('base64url')

/** Prefix of tickets: a ticket in a cookie is not a session. */
const TICKET = 'ticket:'

const digest = (text: string): string => hash('sha256', text, 'base64url')

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

export type SessionPasses = ReturnType<typeof createPasses>

/**
 * Logins of merchants whose session already proves them: the gateway stores only the hash of a
 * password.
 */
export function createPasses(randomBytes: Ambient['randomBytes']) {
  const open = new Map<string, string>()
  return {
    /** Runs a function with a password that logs in the merchant until the function ends. */
    async during<Result>(
      merchantId: number,
      act: (password: string) => Promise<Result>,
    ): Promise<Result> {
      const password = createToken(randomBytes)
      open.set(password, String(merchantId))
      try {
        return await act(password)
      } finally {
        open.delete(password)
      }
    },
    isPass: (username: string, password: string): boolean => open.get(password) === username,
  }
}
