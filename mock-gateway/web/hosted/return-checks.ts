import type { RequestHandler, Response } from 'express'
import type { Logger } from '../../domain/ambient.ts'
import { insertRows } from '../../storage/rows.ts'
import type { HostCheck } from '../../webhooks/host-check.ts'
import { getExchange } from '../http/exchange.ts'

/** Milliseconds after which the gateway checks the same address of the same merchant again. */
const PAUSE_MS = 5 * 60_000

/** Maximum number of addresses in the cache. */
const MOST_REMEMBERED = 1_000

/** Checks of the addresses that payers are sent to. */
export type ReturnChecks = ReturnType<typeof createReturnChecks>

/**
 * Creates the checks: if the shop's server accepts no connection, the payment and the reason are
 * stored for a finding.
 * @param checkHost undefined: nothing is checked
 * @param machine epoch milliseconds of the machine
 */
export function createReturnChecks(
  checkHost: HostCheck | undefined,
  machine: () => number,
  logger: Logger,
) {
  const checkedAt = new Map<string, number>()
  const running = new Set<Promise<void>>()
  const closing = new AbortController()

  /** Starts the pause of an address. @returns false if the pause is still running */
  function startPause(key: string, now: number): boolean {
    if (now < (checkedAt.get(key) ?? Number.NEGATIVE_INFINITY) + PAUSE_MS) return false
    if (checkedAt.size >= MOST_REMEMBERED) checkedAt.clear()
    checkedAt.set(key, now)
    return true
  }

  async function check(response: Response): Promise<void> {
    const { merchant, pageOf, payment, about, getNow, service } = getExchange(response)
    const { addresses, database, changes } = service
    const merchantId = (merchant ?? pageOf)?.id
    const transactionId = payment?.id ?? about
    const url =
      response.statusCode === 303 ? URL.parse(String(response.getHeader('location'))) : null
    if (!checkHost || !url || url.origin === new URL(addresses.pay).origin) return
    if (merchantId === undefined || transactionId === undefined || closing.signal.aborted) return
    if (!startPause(`${merchantId} ${url.origin}`, machine())) return
    const failure = {
      merchant_id: merchantId,
      transaction_id: transactionId,
      address: url.origin,
      created_at: getNow(merchantId),
    }
    const reason = await checkHost(url, closing.signal)
    if (reason === undefined || closing.signal.aborted) return
    await database.write((queries) =>
      insertRows(queries, 'return_failures', [{ ...failure, reason }]),
    )
    changes.publish({ merchantId, topic: 'transactions', id: transactionId })
  }

  function start(response: Response): void {
    const checking = check(response)
      .catch((error) =>
        logger.warn({ err: error }, "The address of a payer's return could not be checked"),
      )
      .finally(() => running.delete(checking))
    running.add(checking)
  }

  /**
   * Starts a check after each answer that sends the payer of a payment to the shop. No payer waits
   * for it.
   */
  const afterRedirect: RequestHandler = (_request, response, next) => {
    response.once('finish', () => start(response))
    next()
  }

  return {
    afterRedirect,
    /** Ends the checks that are running. */
    async close() {
      closing.abort()
      await Promise.all(running)
    },
  }
}
