import type { RequestHandler, Response } from 'express'
import type { Addresses } from '../../domain/addresses.ts'
import type { Logger } from '../../domain/ambient.ts'
import type { Changes } from '../../domain/changes.ts'
import type { Database } from '../../storage/database.ts'
import { insertRows } from '../../storage/rows.ts'
import type { HostCheck } from '../../webhooks/host-check.ts'
import { getExchange } from '../http/exchange.ts'

/** Milliseconds after which the gateway checks the same address of the same merchant again. */
const PAUSE_MS = 5 * 60_000

/** Maximum number of addresses in the cache. */
const MOST_REMEMBERED = 1_000

interface ReturnCheckDependencies {
  /** Undefined if nothing is checked. */
  readonly checkHost: HostCheck | undefined
  readonly addresses: Addresses
  readonly database: Pick<Database, 'write'>
  /** Epoch milliseconds of the machine. */
  readonly machine: () => number
  readonly changes: Changes
  readonly logger: Logger
}

/** Checks of the addresses that payers are sent to. */
export interface ReturnChecks {
  /**
   * Starts a check after each answer that sends the payer of a payment to the shop. No payer waits
   * for it.
   */
  readonly afterRedirect: RequestHandler
  /** Ends the checks that are running. */
  close(): Promise<void>
}

/**
 * Creates the checks: if the shop's server accepts no connection, the payment and the reason are
 * stored for a finding.
 */
export function createReturnChecks(dependencies: ReturnCheckDependencies): ReturnChecks {
  const { checkHost, addresses, database, machine, changes, logger } = dependencies
  const checkedAt = new Map<string, number>()
  const running = new Set<Promise<void>>()
  const closing = new AbortController()
  const own = new URL(addresses.pay).origin

  /** Starts the pause of an address. @returns false if the pause is still running */
  function startPause(key: string): boolean {
    const now = machine()
    if (now < (checkedAt.get(key) ?? Number.NEGATIVE_INFINITY) + PAUSE_MS) return false
    if (checkedAt.size >= MOST_REMEMBERED) checkedAt.clear()
    checkedAt.set(key, now)
    return true
  }

  async function check({ merchantId, transactionId, at, url }: PayerRedirect): Promise<void> {
    const reason = await checkHost?.(url, closing.signal)
    if (reason === undefined || closing.signal.aborted) return
    await database.write((queries) =>
      insertRows(queries, 'return_failures', [
        {
          merchant_id: merchantId,
          transaction_id: transactionId,
          address: url.origin,
          reason,
          created_at: at,
        },
      ]),
    )
    changes.publish({ merchantId, topic: 'transactions', id: transactionId })
  }

  function start(redirect: PayerRedirect | undefined): void {
    if (!checkHost || closing.signal.aborted || !redirect || redirect.url.origin === own) return
    if (!startPause(`${redirect.merchantId} ${redirect.url.origin}`)) return
    const checking = check(redirect)
      .catch((error) =>
        logger.warn({ err: error }, "The address of a payer's return could not be checked"),
      )
      .finally(() => running.delete(checking))
    running.add(checking)
  }

  return {
    afterRedirect(_request, response, next) {
      response.once('finish', () => start(findRedirect(response)))
      next()
    },
    async close() {
      closing.abort()
      await Promise.all(running)
    },
  }
}

type PayerRedirect = NonNullable<ReturnType<typeof findRedirect>>

/** Returns where an answer sends a payment's payer, and when by the merchant's clock. */
function findRedirect(response: Response) {
  const { merchant, pageOf, payment, about, getNow } = getExchange(response)
  const merchantId = (merchant ?? pageOf)?.id
  const transactionId = payment?.id ?? about
  const url = response.statusCode === 303 ? URL.parse(String(response.getHeader('location'))) : null
  return url && merchantId !== undefined && transactionId !== undefined
    ? { merchantId, transactionId, at: getNow(merchantId), url }
    : undefined
}
