import type { RequestHandler } from 'express'
import type { ShopChecks } from '../check/shop-checks.ts'
import { isOnLoopback } from '../domain/addresses.ts'
import { getDefaultSettings, isDefaultMerchant } from '../merchants/seed.ts'
import { createApiRouter, createApiV2Router } from '../web/api/router.ts'
import type { ConsoleDependencies } from '../web/console/dependencies.ts'
import type { ControlDependencies } from '../web/control/router.ts'
import type { Document } from '../web/docs/contract.ts'
import { createSsnRouter } from '../web/hosted/ssn.ts'
import type { AskAs } from '../web/http/in-process.ts'
import { createHealthRouter } from '../web/http/metrics.ts'
import { loadWhenAsked } from '../web/http/pipeline.ts'
import { createLibraryRouter } from '../web/library/served-library.ts'
import { type AddressOf, type Assets, createAssetRouter } from '../web/pages/assets.ts'
import { createStatusRouter } from '../web/three-d-secure/mpi-status.ts'
import type { Accounts } from './accounts.ts'
import type { GatewayData } from './data.ts'
import type { StartedWork } from './due-work.ts'
import type { LiveChanges } from './live-changes.ts'
import type { CheckedOptions } from './options.ts'
import type { RequestHandling } from './request-handling.ts'

/** Parts of a gateway. */
export interface GatewayParts {
  readonly given: CheckedOptions
  readonly data: GatewayData
  readonly accounts: Accounts
  readonly live: LiveChanges
  readonly due: StartedWork
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

/** Modules that the first request to their addresses loads, because a first payment needs none. */
const MODULES = {
  hosted: () => import('../web/hosted/router.ts'),
  link: () => import('../web/hosted/link-router.ts'),
  bank: () => import('../web/three-d-secure/acs-router.ts'),
  mpi: () => import('../web/three-d-secure/mpi-router.ts'),
  console: async () => ({
    ...(await import('../web/console/router.ts')),
    ...(await import('../web/docs/known-names.ts')),
    ...(await import('../serializers/findings/read-findings.ts')),
  }),
  control: async () => ({
    ...(await import('../web/control/router.ts')),
    ...(await import('../web/control/document.ts')),
  }),
  home: () => import('../web/home/router.ts'),
  docs: () => import('../web/docs/router.ts'),
  metrics: () => import('../web/http/metrics.ts'),
  unknownPage: () => import('../web/home/unknown-page.ts'),
}

/** Loads the modules of all addresses before their first requests. */
export const loadAllRoutes = () => Promise.all(Object.values(MODULES).map((load) => load()))

/**
 * Lists the addresses of the gateway and their handlers, in the order of matching.
 * @param own functions that call this gateway in its own process
 */
export function createRoutes(
  parts: GatewayParts,
  own: OwnCalls,
): readonly (readonly [path: string, ...RequestHandler[]])[] {
  const { given, data, accounts, due, requests, site } = parts
  const { addresses, library } = given
  const { database, templates } = data
  const { authenticator, keys } = accounts
  const { decrypt, keptRequests, returnChecks } = requests
  const { assetAddresses, version } = site
  const known = given.merchants.find(isDefaultMerchant)
  const { randomBytes } = given.ambient
  const bank = { authenticator, assetAddresses }
  const hosted = { ...bank, decrypt, keptRequests, returnChecks, templates }
  const api = { authenticator, decrypt }
  const home = { version, known, examples: site.examples, randomBytes, assetAddresses }
  const { isLocal, inMemory } = describePlace(given)
  const tallies = { requests: requests.counts, attempts: due.attempts }
  const { contract, guides } = site
  return [
    ['/', createLibraryRouter({ addresses, authenticator, keys, library })],
    [
      '/v1/form',
      loadWhenAsked(MODULES.hosted, ({ createHostedRouter }) => createHostedRouter(hosted)),
    ],
    ['/pay', loadWhenAsked(MODULES.link, ({ linkRouter }) => linkRouter(hosted))],
    ['/v1/acs', loadWhenAsked(MODULES.bank, ({ createBankRouter }) => createBankRouter(bank))],
    [
      '/v1/mpi_js',
      createStatusRouter(authenticator),
      loadWhenAsked(MODULES.mpi, ({ createMpiRouter }) => createMpiRouter({ ...bank, decrypt })),
    ],
    ['/v1/ssn', createSsnRouter(authenticator)],
    ['/v1', createApiRouter(api)],
    // Its code is loaded with `/v1`; its first request only creates the router.
    [
      '/v2',
      loadWhenAsked(
        async () => createApiV2Router,
        (createRouter) => createRouter(api),
      ),
    ],
    [
      '/console',
      loadWhenAsked(MODULES.console, ({ createConsoleRouter, ...others }) =>
        createConsoleRouter(createConsoleParts(parts, own, others)),
      ),
    ],
    [
      '/_control',
      loadWhenAsked(MODULES.control, ({ createControlRouter }) =>
        createControlRouter(createSandbox(parts)),
      ),
    ],
    // Before the next handlers: each of them loads its module for every request that arrives there.
    ['/', createAssetRouter(site.assets), createHealthRouter({ database, version })],
    [
      '/',
      loadWhenAsked(MODULES.home, ({ createHomeRouter }) =>
        createHomeRouter({ ...createSandbox(parts), ...home, isLocal, inMemory }),
      ),
    ],
    [
      '/',
      loadWhenAsked(MODULES.docs, ({ createDocsRouter }) =>
        createDocsRouter({
          ...{ addresses, randomBytes, contract, guides, known, assetAddresses },
          control: async () => (await MODULES.control()).createControlDocument() as Document,
        }),
      ),
    ],
    [
      '/',
      loadWhenAsked(MODULES.metrics, ({ createMetricsRouter }) =>
        createMetricsRouter({ database, tallies, version }),
      ),
    ],
    [
      '/',
      loadWhenAsked(MODULES.unknownPage, ({ createUnknownPageHandler }) =>
        createUnknownPageHandler({ addresses, assetAddresses }),
      ),
    ],
  ]
}

const describePlace = ({ hosts, addresses, database }: CheckedOptions) => ({
  isLocal: hosts !== undefined && isOnLoopback(addresses),
  inMemory: database === 'memory',
})

type ConsoleReaders = Omit<Awaited<ReturnType<typeof MODULES.console>>, 'createConsoleRouter'>

function createConsoleParts(
  parts: GatewayParts,
  { ask, checks }: OwnCalls,
  { createFindings, createKnownCalls }: ConsoleReaders,
) {
  const { given, data, live, due, requests, site } = parts
  return {
    ...createSandbox(parts),
    library: given.library,
    logger: given.logger,
    known: given.merchants.find(isDefaultMerchant),
    isLocal: describePlace(given).isLocal,
    chosenResults: due.chosenResults,
    keptRequests: requests.keptRequests,
    readFindings: createFindings(data.database.db),
    knownCalls: createKnownCalls(site.contract),
    audiences: live.audiences,
    assets: site.assets,
    assetAddresses: site.assetAddresses,
    ask,
    checks,
  } satisfies ConsoleDependencies
}

/** Parts that operations use. */
function createSandbox({ given, data, accounts, due, requests, site }: GatewayParts) {
  const { database, chance, templates } = data
  const { authenticator, sessions, keys, controlKey } = accounts
  const { timeline, nextOutcomes, webhooks, callTarget } = due
  return {
    addresses: given.addresses,
    given: given.merchants,
    newMerchantSettings: getDefaultSettings(given.ownSecretsOnly),
    ...{ database, chance, templates },
    ...{ authenticator, sessions, keys, controlKey },
    ...{ timeline, nextOutcomes, webhooks, callTarget },
    faults: requests.faults,
    keptRequests: requests.keptRequests,
    async renderStory(story, now) {
      const { renderStoryFile } = await import('../web/pages/story.ts')
      return renderStoryFile(site.assets, [story], { title: `Transaction ${story.id}`, now })
    },
  } satisfies ControlDependencies
}
