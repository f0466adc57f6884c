import { hash, timingSafeEqual } from 'node:crypto'
import type { Ambient } from '../domain/ambient.ts'
import {
  deleteConsoleSession,
  findConsoleSession,
  insertConsoleSession,
} from '../storage/console-sessions.ts'
import type { Database } from '../storage/database.ts'
import { findMerchant } from '../storage/merchants.ts'
import type { ConsoleSessionTable } from '../storage/tables/console-sessions.ts'

/** Milliseconds of the machine after which somebody logs in anew (our decision). */
export const SESSION_MS = 12 * 60 * 60_000

/** Milliseconds of the machine in which a ticket opens the console: a browser starts meanwhile. */
const TICKET_MS = 60_000

/** Whoever is logged in to the console. */
export interface Operator {
  /** Undefined: the administrator, who sees every merchant. */
  readonly merchantId: number | undefined
}

/**
 * Who is logged in to the console, in the database: all gateways on it know, and a restart changes
 * nothing. A session is as good as what it began with: a new password, or another control key, ends
 * it (decision 7).
 */
export interface Sessions {
  /** @returns a token that nobody can guess; of it only a digest is kept */
  begin(operator: Operator): Promise<string>
  find(token: string): Promise<Operator | undefined>
  /** @returns a token for an address that begins a session, once and within a minute */
  beginTicket(operator: Operator): Promise<string>
  /**
   * Ends a ticket. @returns who begins a session with it; undefined if the ticket is used or
   * expired
   */
  useTicket(ticket: string): Promise<Operator | undefined>
  end(token: string): Promise<void>
}

export interface SessionDependencies {
  readonly database: Database
  readonly randomBytes: Ambient['randomBytes']
  /** Epoch milliseconds of the machine: a session lasts as long wherever a clock is moved. */
  readonly machine: () => number
  /** Undefined: there is no administrator. */
  readonly controlKey: string | undefined
}

export function createSessions({
  database,
  randomBytes,
  machine,
  controlKey,
}: SessionDependencies): Sessions {
  /** Returns the operator's current credential. */
  async function proofOf({ merchantId }: Operator): Promise<string | undefined> {
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
      proof: (await proofOf(operator)) ?? '',
      expires_at: machine() + lasts,
    }
    await database.write((queries) => insertConsoleSession(queries, row, machine()))
  }
  const newToken = () => Buffer.from(randomBytes(32)).toString('base64url')

  async function find(token: string): Promise<Operator | undefined> {
    const row = await findConsoleSession(database.db, digest(token), machine())
    if (!row) return undefined
    const operator = { merchantId: row.merchant_id ?? undefined }
    const proof = await proofOf(operator)
    return proof !== undefined && isSame(proof, row.proof) ? operator : undefined
  }
  const end = (token: string) =>
    database.write((queries) => deleteConsoleSession(queries, digest(token)))

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

/** Tells tickets from tokens: a ticket in a cookie is no session. */
const TICKET = 'ticket:'

const digest = (text: string): string => hash('sha256', text, 'base64url')

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
