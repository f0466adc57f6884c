import type { RequestHandler } from 'express'
import { createCounts } from '../domain/counts.ts'
import { createDecryptor } from '../parsing/parameters/decryptor.ts'
import { createFaults } from '../storage/faults.ts'
import { createReturnChecks } from '../web/hosted/return-checks.ts'
import { beginExchange } from '../web/http/begin-exchange.ts'
import { getExchange } from '../web/http/exchange.ts'
import { keepRequests } from '../web/http/kept-requests.ts'
import { createDecryption } from '../web/http/receive.ts'
import { requestFacts } from '../web/http/request-facts.ts'
import { requestLog } from '../web/http/request-log.ts'
import { createWatchdog } from '../web/http/watchdog.ts'
import type { Accounts } from './accounts.ts'
import type { GatewayData } from './data.ts'
import type { StartedWork } from './due-work.ts'
import type { LiveChanges } from './live-changes.ts'
import type { CheckedOptions } from './options.ts'

interface RequestParts {
  readonly given: CheckedOptions
  readonly data: GatewayData
  readonly accounts: Accounts
  readonly live: LiveChanges
  readonly due: StartedWork
}

/** Handling that all requests share, with its log and counts. */
export type RequestHandling = ReturnType<typeof createRequestHandling>

/**
 * Creates the shared handling of requests: id and clock, log, decryption, faults. @param worker
 * file of the thread that decrypts
 */
export function createRequestHandling(
  { given, data, accounts, live, due }: RequestParts,
  worker: URL,
) {
  const { addresses, logger } = given
  const { database, clocks, chance } = data
  const { changes } = live
  const watchdog = createWatchdog(logger, (response) =>
    requestFacts(response.req, response, getExchange(response)),
  )
  const keptRequests = keepRequests(database)
  const decryptor = createDecryptor(worker)
  const faults = createFaults(database, clocks.machine)
  const counts = createCounts()
  const { nextOutcomes, askShop } = due
  const { threadWatch } = watchdog
  const { wake } = due.timeline
  const service = {
    database,
    clocks,
    chance,
    nextOutcomes,
    faults,
    wake,
    addresses,
    threadWatch,
    changes,
    askShop,
  }
  const begin: RequestHandler = beginExchange(
    service,
    requestLog(logger, keptRequests, changes, counts),
  )
  const returnChecks = createReturnChecks(due.checkHost, clocks.machine, logger)
  return {
    begin,
    decrypt: createDecryption(accounts.keys, decryptor),
    faults,
    keptRequests,
    returnChecks,
    /** Counts of requests. */
    counts,
    stopWatchdog: watchdog.close,
    async close() {
      await returnChecks.close()
      await Promise.all([decryptor.close(), keptRequests.close()])
    },
  }
}
