import type { RequestListener } from 'node:http'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import express from 'express'
import { isOnLoopback } from './domain/addresses.ts'
import { createChance } from './domain/chance.ts'
import { createChanges } from './domain/changes.ts'
import { createCounts } from './domain/counts.ts'
import { memoized } from './domain/memoized.ts'
import { beginData } from './gateway/data.ts'
import { checked, type GatewayOptions } from './gateway/options.ts'
import { relayedChanges } from './gateway/relayed-changes.ts'
import { routes } from './gateway/routes.ts'
import { noteRun } from './gateway/run-report.ts'
import { keepTime } from './gateway/due-work.ts'
import { createAuthenticator } from './merchants/authenticate.ts'
import { createControlKey } from './merchants/control-key.ts'
import { createKeyRing } from './merchants/keys.ts'
import { createPasses } from './merchants/passes.ts'
import { createVerifiedPasswords } from './merchants/password.ts'
import { defaultSettings, isDefaultMerchant } from './merchants/seed.ts'
import { createSessions } from './merchants/sessions.ts'
import { createDecryptor } from './parsing/parameters/decryptor.ts'
import type { GatewayClock } from './scheduler/gateway-clock.ts'
import { createFindings } from './serializers/findings/read-findings.ts'
import { paymentLine } from './serializers/payment-line.ts'
import { openDatabase } from './storage/database.ts'
import { insertMail } from './storage/mails.ts'
import { createNextOutcomes } from './storage/next-outcomes.ts'
import type { NewTemplateRow } from './storage/tables/templates.ts'
import { createRenderer } from './templates/renderer.ts'
import { createTemplates } from './templates/templates.ts'
import { CELL_FILTERS } from './web/console/cell-html.ts'
import { createAudiences } from './web/console/live/audiences.ts'
import { versionIn } from './web/docs/health.ts'
import { knownCallsIn } from './web/docs/known-names.ts'
import { createReturnChecks } from './web/hosted/return-checks.ts'
import { askAs } from './web/http/ask-as.ts'
import { beginExchange } from './web/http/begin-exchange.ts'
import { knownHosts, noForeignWrites, noOwnWebhooks } from './web/http/boundary.ts'
import { exchangeOf } from './web/http/exchange.ts'
import { createFaults, strikeFaults } from './web/http/faults.ts'
import { commonHeaders } from './web/http/headers.ts'
import { answerInProcess } from './web/http/in-process.ts'
import { keepRequests } from './web/http/kept-requests.ts'
import { limitPipeline } from './web/http/pipeline.ts'
import { decryptReceived } from './web/http/receive.ts'
import { refuse } from './web/http/refuse.ts'
import { factsOf } from './web/http/request-facts.ts'
import { requestLog } from './web/http/request-log.ts'
import { createWatchdog } from './web/http/watchdog.ts'
import { addressesUnder, assetsIn } from './web/pages/assets.ts'
import { createRender } from './web/pages/engine.ts'
import { askShop } from './webhooks/ask-shop.ts'
import { createDeliveries } from './webhooks/deliveries.ts'
import { mailRenderer } from './webhooks/mail/render-mail.ts'
import { webhookTransports } from './webhooks/options.ts'
import { openWork, type WorkAt } from './work/work.ts'

export type { Addresses } from './domain/addresses.ts'
export type { Ambient } from './domain/ambient.ts'
export type { GivenSettings } from './domain/merchant.ts'
export { OptionError } from './domain/options.ts'
export { type GatewayOptions, MACHINE, randomControlKey } from './gateway/options.ts'
export { DEFAULT_MERCHANT, type MerchantSeed } from './merchants/seed.ts'
export type { Advance, ClockOptions, GatewayClock, Moment } from './scheduler/gateway-clock.ts'
export type { ClockReport, ClockView } from './scheduler/timeline.ts'
export type { WebhookOptions } from './webhooks/options.ts'

/** A whole payment service. Several can live in one process. */
export interface Gateway {
  /** For a server of your own: `createServer({ maxHeaderSize: 256 * 1024 }, gateway.app)`. */
  readonly app: RequestListener
  /** Answers a request without a port, inside a test say. */
  handle(request: Request): Promise<Response>
  /** Everybody's time, and each merchant's. */
  readonly clock: GatewayClock
  /** What the control API `/_control` asks for; undefined when it is off. */
  readonly controlKey: string | undefined
  /** Tells where example shops are, for the home page. */
  examplesAt(url: string): void
  /** Ends the gateway; what was answered before is kept. */
  close(): Promise<void>
}

const CONTRACT = fileURLToPath(new URL('./contract/', import.meta.url))
const GUIDES = fileURLToPath(new URL('../docs/', import.meta.url))
const WEB = fileURLToPath(new URL('./web/', import.meta.url))
/** As source or as built, like this file. */
const DECRYPT_WORKER = new URL(`./parsing/parameters/decrypt-worker${extname(import.meta.url)}`, import.meta.url)
const RENDER_WORKER = new URL(`./templates/render-worker${extname(import.meta.url)}`, import.meta.url)
/** The package's version. */
export const version = (): Promise<string> => versionIn(new URL('../package.json', import.meta.url))

const assets = assetsIn(WEB)
/** The renderer of pages, by the path under which a gateway is reached. All gateways of a process share it. */
const renderUnder = memoized(10, (prefix) => createRender(WEB, assets, prefix, CELL_FILTERS))

/** Built with the gateway, as source or as built. */
const LIBRARY = fileURLToPath(
  new URL(`./${extname(import.meta.url) === '.ts' ? 'dist/' : ''}library/mondido.min.js`, import.meta.url),
)

/**
 * Makes a gateway: opens its data, adds its merchants, puts its parts together. It does not listen.
 * @throws OptionError, NewerSchemaError, ForeignTablesError, SecretsKeyError, DefaultSecretsError, the database's own error when it
 * cannot be opened
 */
export async function createGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { ambient, logger, addresses, hosts, merchants, library, ownSecretsOnly, webhooks, controlKey, mockHeader } =
    checked(options, LIBRARY)
  const database = await openDatabase(options.database ?? 'memory', options.secretsKey)
  const verified = createVerifiedPasswords()
  const renderer = createRenderer(RENDER_WORKER)
  const templates = createTemplates(renderer, (facts, message) => logger.warn(facts, message))
  const lookThrough = (row: NewTemplateRow) => templates.lookThrough(database.db, row)
  const seeding = { ...ambient, database, verified, merchants, ownSecretsOnly, logger, lookThrough }
  const { clocks, folder } = await beginData(seeding, options).catch(async (error) => {
    await renderer.close()
    await database.close()
    throw error
  })

  const passes = createPasses(ambient.randomBytes)
  const authenticator = createAuthenticator(database, verified, passes)
  const chance = createChance(ambient.randomBytes)
  const { randomBytes } = chance
  const nextOutcomes = createNextOutcomes(database)
  const faults = createFaults(database, clocks.machine)
  const relay = database.channel && relayedChanges(createChanges(), database.channel)
  const run = options.report && noteRun(options.report)
  const told = relay ?? createChanges()
  const changes = run ? run.noting(told) : told
  const workAt: WorkAt = async (merchantId, now) => {
    const merchant = await authenticator.find(merchantId)
    return (
      merchant &&
      openWork(database, {
        merchant,
        actor: { by: 'gateway' },
        now,
        randomBytes: chance.of(merchantId),
        addresses,
        nextOutcomes,
        observer: {
          onDue: () => timeline.wake(),
          onTransaction(row, events) {
            logger.info({ merchant_id: merchantId, payment: paymentLine(row, events) })
            changes.publish({ merchantId, topic: 'transactions', id: row.id })
          },
        },
      })
    )
  }
  const sending = webhookTransports(webhooks, options.database, {
    render: mailRenderer({ database, addresses, renderer }),
    momentOf: clocks.now,
    async keep(mail) {
      await database.write((queries) => insertMail(queries, mail))
      changes.publish({ merchantId: mail.merchant_id, topic: 'mails' })
    },
  })
  const tallies = { requests: createCounts(), attempts: createCounts() }
  const deliveries = createDeliveries({
    attempts: tallies.attempts,
    database,
    randomBytes,
    momentOf: clocks.now,
    machine: clocks.machine,
    findMerchant: authenticator.find,
    transports: sending.transports,
    logger,
    changes,
  })
  const { timeline, clock, chosenResults } = keepTime({ database, clocks, workAt, deliveries, logger })

  const keys = createKeyRing(database)
  const decryptor = createDecryptor(DECRYPT_WORKER)
  const decrypt = decryptReceived(keys, decryptor)
  const prefix = new URL(addresses.pay).pathname.replace(/\/$/, '')
  const render = renderUnder(prefix)

  const watchdog = createWatchdog(logger, (response) => factsOf(response.req, response, exchangeOf(response)))
  const service = {
    database,
    clocks,
    chance,
    nextOutcomes,
    faults,
    wake: timeline.wake,
    addresses,
    threadWatch: watchdog.threadWatch,
    changes,
    askShop: askShop({ call: sending.call, chance, machine: clocks.machine, logger }),
  }
  const keptRequests = keepRequests(database)
  const returnChecks = createReturnChecks({
    checkHost: sending.checkHost,
    addresses,
    database,
    machine: clocks.machine,
    changes,
    logger,
  })
  const examples: { at?: string } = {}
  const audiences = createAudiences(changes)
  const app = express()
  app.disable('x-powered-by')
  app.set('query parser', false)
  app.set('etag', false)
  const begin = beginExchange(service, requestLog(logger, keptRequests, changes, tallies.requests))
  const mock = mockHeader ? `mondido-gateway/${await version()}` : undefined
  app.use(begin, commonHeaders(mock), knownHosts(hosts), noOwnWebhooks, noForeignWrites(addresses), strikeFaults)
  const everything = {
    ...service,
    authenticator,
    ask: askAs(passes, (request) => handle(request)),
    keys,
    decrypt,
    render,
    assets,
    assetAddresses: addressesUnder(assets, prefix),
    templates,
    timeline,
    chosenResults,
    keptRequests,
    returnChecks,
    readFindings: createFindings(database.db),
    examples,
    isLocal: hosts !== undefined && isOnLoopback(addresses),
    inMemory: (options.database ?? 'memory') === 'memory',
    knownCalls: knownCallsIn(CONTRACT),
    audiences,
    logger,
    library,
    version,
    tallies,
    contract: CONTRACT,
    guides: GUIDES,
    randomBytes: ambient.randomBytes,
    known: merchants.find(isDefaultMerchant),
    given: merchants,
    newMerchantSettings: defaultSettings(ownSecretsOnly),
    webhooks: { database, momentOf: clocks.now, machine: clocks.machine, wake: timeline.wake },
    callTarget: sending.call,
    sessions: createSessions({ database, randomBytes: ambient.randomBytes, machine: clocks.machine, controlKey }),
    controlKey: controlKey === undefined ? undefined : createControlKey(database, controlKey, clocks.machine),
  }
  for (const [path, ...handlers] of routes(everything)) app.use(path, ...handlers)
  app.use(refuse(logger))

  const listener = limitPipeline(app)
  const handle = answerInProcess(listener)
  return {
    app: listener,
    handle,
    clock,
    controlKey,
    examplesAt(url) {
      examples.at = url
    },
    async close() {
      watchdog.close()
      audiences.close()
      relay?.close()
      await deliveries.drain()
      sending.close()
      await timeline.stop()
      await returnChecks.close()
      await folder?.close()
      await Promise.all([decryptor.close(), renderer.close(), keptRequests.close()])
      await run?.tell({ database, authenticator, assets, logger, now: clocks.now() })
      await database.close()
    },
  }
}
