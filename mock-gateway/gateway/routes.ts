import type { RequestHandler } from 'express'
import type { ShopChecks } from '../check/shop-checks.ts'
import { isOnLoopback } from '../domain/addresses.ts'
import { defaultSettings, isDefaultMerchant } from '../merchants/seed.ts'
import { createFindings } from '../serializers/findings/read-findings.ts'
import { apiRouter, apiV2Router } from '../web/api/router.ts'
import type { ConsoleDependencies } from '../web/console/dependencies.ts'
import { consoleRouter } from '../web/console/router.ts'
import { type ControlDependencies, controlRouter } from '../web/control/router.ts'
import { healthRouter } from '../web/docs/health.ts'
import { knownCallsIn } from '../web/docs/known-names.ts'
import { metricsRouter } from '../web/docs/metrics.ts'
import { docsRouter } from '../web/docs/router.ts'
import { homeRouter } from '../web/home/router.ts'
import { unknownPage } from '../web/home/unknown-page.ts'
import { linkRouter } from '../web/hosted/link-router.ts'
import { hostedRouter } from '../web/hosted/router.ts'
import { ssnRouter } from '../web/hosted/ssn.ts'
import type { AskAs } from '../web/http/ask-as.ts'
import { whenAsked } from '../web/http/pipeline.ts'
import { libraryRouter } from '../web/library/served-library.ts'
import { type AddressOf, type Assets, assetRouter } from '../web/pages/assets.ts'
import { bankRouter } from '../web/three-d-secure/bank.ts'
import { mpiRouter } from '../web/three-d-secure/mpi.ts'
import { statusRouter } from '../web/three-d-secure/status.ts'
import type { Accounts } from './accounts.ts'
import type { GatewayData } from './data.ts'
import type { DueWork } from './due-work.ts'
import type { LiveChanges } from './live-changes.ts'
import type { CheckedOptions } from './options.ts'
import type { RequestHandling } from './request-handling.ts'

/** Parts of a gateway. */
export interface GatewayParts {
  readonly given: CheckedOptions
  readonly data: GatewayData
  readonly accounts: Accounts
  readonly live: LiveChanges
  readonly due: DueWork
  readonly requests: RequestHandling
  readonly site: Site
}

/** Functions that call the gateway in its own process. */
interface OwnCalls {
  /** Sends a request to this gateway as a client. */
  readonly ask: AskAs
  readonly checks: ShopChecks
}

/** Files and pages that a gateway serves. */
export interface Site {
  /** Paths of the folders of the contract and the guides. */
  readonly contract: string
  readonly guides: string
  readonly version: () => Promise<string>
  readonly assets: Assets
  readonly assetAddresses: () => Promise<AddressOf>
  /** Address of the example shops, when they have started. */
  readonly examples: { at?: string }
}

/**
 * Lists the addresses of the gateway and their handlers, in the order of matching.
 * @param own functions that call this gateway in its own process
 */
export function routes(
  parts: GatewayParts,
  own: OwnCalls,
): readonly (readonly [path: string, ...RequestHandler[]])[] {
  const { given, data, accounts, due, requests, site } = parts
  const { addresses, library } = given
  const { database, templates } = data
  const { authenticator, keys } = accounts
  const { decrypt, returnChecks } = requests
  const { assetAddresses, version } = site
  const known = given.merchants.find(isDefaultMerchant)
  const { randomBytes } = given.ambient
  const bank = { addresses, authenticator, assetAddresses }
  const hosted = { addresses, authenticator, decrypt, assetAddresses, returnChecks, templates }
  const api = { authenticator, decrypt }
  const home = {
    addresses,
    database,
    version,
    known,
    examples: site.examples,
    randomBytes,
    assetAddresses,
  }
  const { isLocal, inMemory } = placeOf(given)
  const tallies = { requests: requests.counts, attempts: due.attempts }
  const { contract, guides } = site
  return [
    ['/', libraryRouter({ addresses, authenticator, keys, library })],
    ['/v1/form', whenAsked(() => hostedRouter(hosted))],
    ['/pay', whenAsked(() => linkRouter(hosted))],
    ['/v1/acs', whenAsked(() => bankRouter(bank))],
    ['/v1/mpi_js', statusRouter(authenticator), whenAsked(() => mpiRouter({ ...bank, decrypt }))],
    ['/v1/ssn', ssnRouter(authenticator)],
    ['/v1', apiRouter(api)],
    ['/v2', whenAsked(() => apiV2Router(api))],
    ['/console', whenAsked(() => consoleRouter(consoleParts(parts, own)))],
    ['/_control', whenAsked(() => controlRouter(controlParts(parts)))],
    [
      '/',
      whenAsked(() => homeRouter({ ...home, isLocal, inMemory, controlKey: accounts.controlKey })),
    ],
    [
      '/',
      assetRouter(site.assets),
      whenAsked(() =>
        docsRouter({ addresses, randomBytes, contract, guides, known, assetAddresses }),
      ),
    ],
    ['/', metricsRouter({ database, tallies, version }), healthRouter({ database, version })],
    ['/', unknownPage({ addresses, assetAddresses })],
  ]
}

const placeOf = ({ hosts, addresses, database }: CheckedOptions) => ({
  isLocal: hosts !== undefined && isOnLoopback(addresses),
  inMemory: database === 'memory',
})

function consoleParts(
  { given, data, accounts, live, due, requests, site }: GatewayParts,
  { ask, checks }: OwnCalls,
) {
  const { database, chance, templates } = data
  const { authenticator, sessions, keys, controlKey } = accounts
  const { timeline, chosenResults, nextOutcomes, webhooks } = due
  return {
    addresses: given.addresses,
    library: given.library,
    logger: given.logger,
    given: given.merchants,
    newMerchantSettings: defaultSettings(given.ownSecretsOnly),
    known: given.merchants.find(isDefaultMerchant),
    isLocal: placeOf(given).isLocal,
    ...{ database, chance, templates },
    ...{ authenticator, sessions, keys, controlKey },
    ...{ timeline, chosenResults, nextOutcomes, webhooks },
    faults: requests.faults,
    keptRequests: requests.keptRequests,
    readFindings: createFindings(database.db),
    knownCalls: knownCallsIn(site.contract),
    audiences: live.audiences,
    assets: site.assets,
    assetAddresses: site.assetAddresses,
    ask,
    checks,
  } satisfies ConsoleDependencies
}

function controlParts({ given, data, accounts, due, requests, site }: GatewayParts) {
  const { database, chance, templates } = data
  const { authenticator, sessions, keys, controlKey } = accounts
  const { timeline, nextOutcomes, webhooks, callTarget } = due
  return {
    addresses: given.addresses,
    given: given.merchants,
    newMerchantSettings: defaultSettings(given.ownSecretsOnly),
    ...{ database, chance, templates },
    ...{ authenticator, sessions, keys, controlKey },
    ...{ timeline, nextOutcomes, webhooks, callTarget },
    faults: requests.faults,
    keptRequests: requests.keptRequests,
    assets: site.assets,
  } satisfies ControlDependencies
}
