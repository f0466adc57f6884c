import { hash, timingSafeEqual } from 'node:crypto'
import type { Ambient } from '../domain/ambient.ts'
import { deleteConsoleSession, findConsoleSession, insertConsoleSession } from '../storage/console-sessions.ts'
import type { Database } from '../storage/database.ts'
import { findMerchant } from '../storage/merchants.ts'
import type { ConsoleSessionTable } from '../storage/tables/console-sessions.ts'

/** Milliseconds of the machine after which somebody logs in anew (our decision). */
export const SESSION_MS = 12 * 60 * 60_000

/** Whoever is logged in to the console. */
export interface Operator {
  /** Undefined: the administrator, who sees every merchant. */
  readonly merchantId: number | undefined
}

/**
 * Who is logged in to the console, in the database: all gateways on it know, and a restart changes nothing. A session is
 * as good as what it began with: a new password, or another control key, ends it (decision 7).
 */
export interface Sessions {
  /** @returns a token that nobody can guess; of it only a digest is kept */
  begin(operator: Operator): Promise<string>
  find(token: string): Promise<Operator | undefined>
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

export function createSessions({ database, randomBytes, machine, controlKey }: SessionDependencies): Sessions {
  /** What the operator has to know now. */
  async function proofOf({ merchantId }: Operator): Promise<string | undefined> {
    const known = merchantId === undefined ? controlKey : (await findMerchant(database.db, merchantId))?.password_hash
    return known === undefined ? undefined : digest(known)
  }

  return {
    async begin(operator) {
      const token = Buffer.from(randomBytes(32)).toString('base64url')
      const row: ConsoleSessionTable = {
        token_hash: digest(token),
        merchant_id: operator.merchantId ?? null,
        proof: (await proofOf(operator)) ?? '',
        expires_at: machine() + SESSION_MS,
      }
      await database.write((queries) => insertConsoleSession(queries, row, machine()))
      return token
    },
    async find(token) {
      const row = await findConsoleSession(database.db, digest(token), machine())
      if (!row) return undefined
      const operator = { merchantId: row.merchant_id ?? undefined }
      const proof = await proofOf(operator)
      return proof !== undefined && isSame(proof, row.proof) ? operator : undefined
    },
    end: (token) => database.write((queries) => deleteConsoleSession(queries, digest(token))),
  }
}

const digest = (text: string): string => hash('sha256', text, 'base64url')

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
