import { existsSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import createExpress from 'express'
import { createShopChecks } from './check/shop-checks.ts'
import { createAccounts } from './gateway/accounts.ts'
import { openData } from './gateway/data.ts'
import { startDueWork } from './gateway/due-work.ts'
import { createLiveChanges } from './gateway/live-changes.ts'
import { type CheckedOptions, checkOptions, type GatewayOptions } from './gateway/options.ts'
import { createRequestHandling } from './gateway/request-handling.ts'
import { createRoutes, type GatewayParts, type Site } from './gateway/routes.ts'
import { storeSeeds } from './merchants/random-seeds.ts'
import packageJson from './package.json' with { type: 'json' }
import type { GatewayClock } from './scheduler/gateway-clock.ts'
import { createForeignWriteCheck, createHostCheck, refuseOwnWebhooks } from './web/http/boundary.ts'
import { applyFaults } from './web/http/faults.ts'
import { sendCommonHeaders } from './web/http/headers.ts'
import { answerInProcess, askAs } from './web/http/in-process.ts'
import { limitPipeline } from './web/http/pipeline.ts'
import { refuse } from './web/http/refuse.ts'
import { createAssetAddresses, findAssets } from './web/pages/assets.ts'

export type { Addresses } from './domain/addresses.ts'
export type { Ambient } from './domain/ambient.ts'
export type { GivenSettings } from './domain/merchant.ts'
export { OptionError } from './domain/options.ts'
export { createRandomControlKey, type GatewayOptions, MACHINE } from './gateway/options.ts'
export { DEFAULT_MERCHANT, type MerchantSeed } from './merchants/seed.ts'
export type { ClockReport, ClockView } from './scheduler/clock-moves.ts'
export type { Advance, ClockOptions, GatewayClock, Moment } from './scheduler/gateway-clock.ts'
export type { WebhookOptions } from './webhooks/options.ts'

/** A complete payment service. A process can have several. */
export interface Gateway {
  /** For a server of your own: `createServer({ maxHeaderSize: 256 * 1024 }, gateway.app)`. */
  readonly app: RequestListener
  /** Answers a request without a port, for example inside a test. */
  handle(request: Request): Promise<Response>
  /** The common clock, and each merchant's. */
  readonly clock: GatewayClock
  /** Key of the control API `/_control`; undefined if it is off. */
  readonly controlKey: string | undefined
  /** Sets the address of the example shops, for the home page. */
  setExamplesUrl(url: string): void
  /** Closes the gateway; everything it has answered is stored. */
  close(): Promise<void>
}

/** Returns the path of a file or folder next to this one. In jsdom, the global `URL` is the page's. */
const resolvePath = (relative: string) => join(import.meta.dirname, relative)
const CONTRACT = resolvePath('contract/')
const WEB = resolvePath('web/')
/** The folder above the repository's `sdk`, of this file as source or as built; else this is a package. */
const REPOSITORY = ['../', '../../'].find((folder) =>
  existsSync(resolvePath(`${folder}sdk/shared/card-brands.ts`)),
)
/** A package has copies of the guides and of the library. */
const GUIDES = resolvePath(`${REPOSITORY ?? '../'}docs/`)
const LIBRARY = resolvePath(`${REPOSITORY ? `${REPOSITORY}sdk/dist` : 'library'}/mondido.min.js`)
/** As source or as built, like this file. */
const EXTENSION = extname(import.meta.filename)
const DECRYPT_WORKER = pathToFileURL(resolvePath(`parsing/parameters/decrypt-worker${EXTENSION}`))

/**
 * Returns the package's version.
 * @example
 * import { version } from 'mondido-gateway'
 *
 * console.log(await version())
 */
export const version = async (): Promise<string> => packageJson.version

const assets = findAssets(WEB)

/**
 * Creates a gateway: opens its data, adds its merchants, and connects its parts. It does not
 * listen.
 * @throws OptionError, UnsupportedSchemaError, ForeignTablesError, SecretsKeyError, DefaultSecretsError,
 *   the database's own error when it cannot be opened
 * @example
 * import { createGateway } from 'mondido-gateway'
 *
 * const gateway = await createGateway()
 * const answer = await gateway.handle(new Request('http://localhost:4400/health'))
 * console.log(answer.status) // 200
 * await gateway.close()
 */
export async function createGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const given = await checkOptions(options, LIBRARY)
  const data = await openData(given, options)
  const accounts = createAccounts(given, data)
  const live = createLiveChanges(data.database, options.report)
  const due = startDueWork({ given, data, accounts, live })
  const requests = createRequestHandling({ given, data, accounts, live, due }, DECRYPT_WORKER)
  const site = createSite(given)
  const { app, handle, checks } = await createApp({
    given,
    data,
    accounts,
    live,
    due,
    requests,
    site,
  })
  return {
    app,
    handle,
    clock: due.clock,
    controlKey: given.controlKey,
    setExamplesUrl(url) {
      site.examples.at = url
    },
    async close() {
      await checks.close()
      requests.stopWatchdog()
      live.close()
      await due.close()
      await requests.close()
      await storeSeeds(data).catch((err) =>
        given.logger.error({ err }, 'The random seed could not be stored'),
      )
      await data.folder?.close()
      const { database, clocks } = data
      const { authenticator } = accounts
      await live.run?.tell({
        database,
        authenticator,
        assets,
        logger: given.logger,
        now: clocks.now(),
      })
      await database.close()
    },
  }
}

/** Finds the files and pages that the gateway serves, under the path at which it is reached. */
function createSite({ addresses }: CheckedOptions): Site {
  const prefix = new URL(addresses.pay).pathname.replace(/\/$/, '')
  return {
    contract: CONTRACT,
    guides: GUIDES,
    version,
    assets,
    assetAddresses: createAssetAddresses(assets, prefix),
    examples: {},
  }
}

/**
 * Creates the Express app, the function that answers requests without a port, and what calls it.
 */
async function createApp(parts: GatewayParts) {
  const { hosts, addresses, logger, mockHeader } = parts.given
  const express = createExpress()
  express.disable('x-powered-by')
  express.set('query parser', false)
  express.set('etag', false)
  const mock = mockHeader ? `mondido-gateway/${await version()}` : undefined
  express.use(
    parts.requests.begin,
    sendCommonHeaders(addresses.base, mock),
    createHostCheck(hosts),
    refuseOwnWebhooks,
  )
  express.use(createForeignWriteCheck(addresses), applyFaults)
  const ask = askAs(parts.accounts.passes, (request) => handle(request))
  const { controlKey } = parts.given
  const { changes } = parts.live
  const checks = createShopChecks({ url: addresses.base, controlKey, ask, changes, logger })
  for (const [path, ...handlers] of createRoutes(parts, { ask, checks }))
    express.use(path, ...handlers)
  express.use(refuse(logger))
  const app = limitPipeline(express)
  const handle = answerInProcess(app)
  return { app, handle, checks }
}
