import { hash, timingSafeEqual } from 'node:crypto'
import type { Ambient } from '../domain/ambient.ts'
import type { Database } from '../storage/database.ts'
import { findMerchant } from '../storage/merchants.ts'
import { compare, deleteRows, findOne, insertRow } from '../storage/rows.ts'
import type { ConsoleSessionTable } from '../storage/tables/console-sessions.ts'

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

/**
 * Console sessions, stored in the database: every gateway on it knows them, and they survive a
 * restart. A new password or control key ends the sessions that it replaces (decision 7).
 */
export interface Sessions {
  /** @returns a random token; only its digest is stored */
  begin(operator: Operator): Promise<string>
  find(token: string): Promise<Operator | undefined>
  /** @returns a token for an address that starts a session once, within a minute */
  beginTicket(operator: Operator): Promise<string>
  /**
   * Uses up a ticket.
   * @returns the user of the new session; undefined if the ticket is used or expired
   */
  useTicket(ticket: string): Promise<Operator | undefined>
  end(token: string): Promise<void>
}

export interface SessionDependencies {
  readonly database: Database
  readonly randomBytes: Ambient['randomBytes']
  /** Epoch milliseconds of the machine: a session lasts as long wherever a clock is moved. */
  readonly machine: () => number
  /** Undefined if there is no administrator. */
  readonly controlKey: string | undefined
}

export function createSessions({
  database,
  randomBytes,
  machine,
  controlKey,
}: SessionDependencies): Sessions {
  /** Returns the operator's current credential. */
  async function findProof({ merchantId }: Operator): Promise<string | undefined> {
    const known =
      merchantId === undefined
        ? controlKey
        : (await findMerchant(database.db, merchantId))?.password_hash
    return known === undefined ? undefined : digest(known)
  }

  async function keep(token: string, operator: Operator, lasts: number): Promise<void> {
    const row: ConsoleSessionTable = {
      token_hash: digest(token),
      merchant_id: operator.merchantId ?? null,
      proof: (await findProof(operator)) ?? '',
      expires_at: machine() + lasts,
    }
    await database.write(async (queries) => {
      await deleteRows(queries, 'console_sessions', { expires_at: compare('<=', machine()) })
      await insertRow(queries, 'console_sessions', row)
    })
  }
  const newToken = () => Buffer.from(randomBytes(32)).toString('base64url')

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
    async begin(operator) {
      const token = newToken()
      await keep(token, operator, SESSION_MS)
      return token
    },
    find,
    async beginTicket(operator) {
      const ticket = newToken()
      await keep(TICKET + ticket, operator, TICKET_MS)
      return ticket
    },
    async useTicket(ticket) {
      const operator = await find(TICKET + ticket)
      if (operator) await end(TICKET + ticket)
      return operator
    },
    end,
  }
}

/** Prefix of tickets: a ticket in a cookie is not a session. */
const TICKET = 'ticket:'

const digest = (text: string): string => hash('sha256', text, 'base64url')

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/**
 * Logins of merchants whose session already proves them: the gateway stores only the hash of a
 * password.
 */
export interface SessionPasses {
  /** Runs a function with a password that logs in the merchant until the function ends. */
  during<Result>(merchantId: number, act: (password: string) => Promise<Result>): Promise<Result>
  isPass(username: string, password: string): boolean
}

/** 256 random bits, which cannot be guessed while they are valid. */
const BYTES = 32

export function createPasses(randomBytes: Ambient['randomBytes']): SessionPasses {
  const open = new Map<string, string>()
  return {
    async during(merchantId, act) {
      const password = Buffer.from(randomBytes(BYTES)).toString('base64url')
      open.set(password, String(merchantId))
      try {
        return await act(password)
      } finally {
        open.delete(password)
      }
    },
    isPass: (username, password) => open.get(password) === username,
  }
}
