import { hash, randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { extname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import express from 'express'
import pino, { type Logger } from 'pino'
import type { Addresses } from './domain/addresses.ts'
import type { Ambient } from './domain/ambient.ts'
import { createChance } from './domain/chance.ts'
import { GatewayError } from './domain/errors.ts'
import { OptionError, readAddress, readControlKey, readPostgres } from './domain/options.ts'
import { createAuthenticator } from './merchants/authenticate.ts'
import { readFixtures } from './merchants/fixtures.ts'
import { createKeyRing } from './merchants/keys.ts'
import { type LoadParts, loadFixtures } from './merchants/load-fixtures.ts'
import { createVerifiedPasswords } from './merchants/password.ts'
import {
  DEFAULT_MERCHANT,
  isDefaultMerchant,
  type MerchantSeed,
  readMerchantSeeds,
  refuseDefaultSecrets,
  seedMerchants,
} from './merchants/seed.ts'
import { answersDue } from './payments/answers-due.ts'
import { authenticationsDue } from './payments/authentication/due.ts'
import { expiriesDue } from './payments/expiry.ts'
import { createNextOutcomes } from './payments/next-outcomes.ts'
import { createDecryptor } from './requests/parameters/decryptor.ts'
import { type Database, openDatabase } from './storage/database.ts'
import { isUnused } from './storage/fixtures.ts'
import { insertMail } from './storage/mails.ts'
import { openWork, type WorkAt } from './storage/work.ts'
import { chargesDue } from './subscriptions/due.ts'
import { type TemplateFolder, watchTemplates } from './templates/folder.ts'
import { createRenderer } from './templates/renderer.ts'
import { createTemplates } from './templates/templates.ts'
import { type Clocks, createClocks } from './timeline/clocks.ts'
import type { DueKind } from './timeline/due.ts'
import { createGatewayClock, type GatewayClock, type Moment } from './timeline/gateway-clock.ts'
import { createTimeline } from './timeline/timeline.ts'
import { apiRouter, apiV2Router } from './web/api/router.ts'
import { controlRouter } from './web/control/router.ts'
import { DOCS_FILTERS } from './web/docs/filters.ts'
import { healthRouter, versionIn } from './web/docs/health.ts'
import { docsRouter } from './web/docs/router.ts'
import { hostedRouter } from './web/hosted/router.ts'
import { ssnRouter } from './web/hosted/ssn.ts'
import { beginExchange } from './web/http/begin-exchange.ts'
import { knownHosts, noForeignWrites, noOwnWebhooks } from './web/http/boundary.ts'
import { createFaults, strikeFaults } from './web/http/faults.ts'
import { commonHeaders } from './web/http/headers.ts'
import { answerInProcess } from './web/http/in-process.ts'
import { limitPipeline } from './web/http/pipeline.ts'
import { decryptReceived } from './web/http/receive.ts'
import { notFound, refuse } from './web/http/refuse.ts'
import { requestLog } from './web/http/request-log.ts'
import { libraryRouter } from './web/library/served-library.ts'
import { assetRouter, assetsIn } from './web/pages/assets.ts'
import { createRender } from './web/pages/engine.ts'
import { bankRouter } from './web/three-d-secure/bank.ts'
import { mpiRouter } from './web/three-d-secure/mpi.ts'
import { statusRouter } from './web/three-d-secure/status.ts'
import { askShop } from './webhooks/ask-shop.ts'
import { createDeliveries } from './webhooks/deliveries.ts'
import { mailRenderer } from './webhooks/mail/render-mail.ts'
import { readWebhookOptions, type WebhookOptions, webhookTransports } from './webhooks/options.ts'

export type { Addresses } from './domain/addresses.ts'
export type { Ambient } from './domain/ambient.ts'
export { OptionError } from './domain/options.ts'
export { DEFAULT_MERCHANT, type MerchantSeed } from './merchants/seed.ts'
export type { Advance, ClockOptions, GatewayClock, Moment } from './timeline/gateway-clock.ts'
export type { ClockReport, ClockView } from './timeline/timeline.ts'
export type { WebhookOptions } from './webhooks/options.ts'

/** How a gateway is made. Everything may be left out. */
export interface GatewayOptions {
  /** 'memory' (default), the path of an SQLite file, or a postgres:// address. */
  readonly database?: string
  /** Where the gateway is reached from outside; links are built from these. Default: http://localhost:4400 for all. */
  readonly addresses?: Addresses
  /** Names that a request's Host may have, such as `localhost` and `[::1]`, where only this machine is to be reached. Default: any. */
  readonly hosts?: readonly string[] | undefined
  /** Default: `DEFAULT_MERCHANT`. */
  readonly merchants?: readonly MerchantSeed[]
  /** 32 bytes as 64 hexadecimal digits or base64: encrypts merchants' secrets and private keys. Default: they are in clear. */
  readonly secretsKey?: string | undefined
  /** True where others can reach the gateway: merchants with the default password or secret are refused, old ones too. */
  readonly ownSecretsOnly?: boolean
  /** Time and chance. Default: the machine's. */
  readonly ambient?: Ambient
  /** Where everybody's clock stands from the start, unless it was moved before. Default: the machine's time. */
  readonly clock?: Moment | undefined
  /**
   * Key of the control API `/_control`, at least 8 characters; false: there is no such API. Default: a random key, which
   * `Gateway.controlKey` tells.
   */
  readonly control?: string | false | undefined
  /** How webhooks are sent. */
  readonly webhooks?: WebhookOptions
  /** Default: nothing is logged. */
  readonly logger?: Logger
  /** What new data begins with, as `GET /_control/fixtures` writes it; where there is data already it is left alone. */
  readonly fixtures?: unknown
  /** Folder of page templates in Liquid that every merchant may use, such as `3-summer.liquid`; read again when one changes. */
  readonly templates?: string | undefined
  /** Path of the built browser library. */
  readonly library?: string
}

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
  /** Ends the gateway; what was answered before is kept. */
  close(): Promise<void>
}

/** The machine's clock and its secure random bytes. */
export const MACHINE: Ambient = { now: Date.now, randomBytes }

/** Milliseconds that the first keys of merchants have at the end. */
const KEYS_MS = 2_000

const DEFAULT_ADDRESS = 'http://localhost:4400'
const CONTRACT = fileURLToPath(new URL('./contract/', import.meta.url))
const WEB = fileURLToPath(new URL('./web/', import.meta.url))
/** As source or as built, like this file. */
const DECRYPT_WORKER = new URL(`./requests/parameters/decrypt-worker${extname(import.meta.url)}`, import.meta.url)
const RENDER_WORKER = new URL(`./templates/render-worker${extname(import.meta.url)}`, import.meta.url)
/** The package's version. */
export const version = (): Promise<string> => versionIn(new URL('../package.json', import.meta.url))

const LIBRARY = fileURLToPath(new URL('../dist/sdk/mondido.min.js', import.meta.url))

/**
 * Makes a gateway: opens its data, adds its merchants, puts its parts together. It does not listen.
 * @throws OptionError, NewerSchemaError, ForeignTablesError, SecretsKeyError, DefaultSecretsError, the database's own error when it
 * cannot be opened
 */
export async function createGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { ambient, logger, addresses, hosts, merchants, library, ownSecretsOnly, webhooks, controlKey } =
    checked(options)
  const database = await openDatabase(options.database ?? 'memory', options.secretsKey)
  const verified = createVerifiedPasswords()
  let clocks: Clocks
  let folder: TemplateFolder | undefined
  try {
    clocks = await createClocks(database, ambient.now)
    if (options.clock !== undefined && clocks.modeOf() === 'real') await clocks.leave('frozen', Number(options.clock))
    await seedMerchants(database, merchants, clocks.now(), verified)
    if (options.fixtures !== undefined)
      await beginWith({ database, randomBytes: ambient.randomBytes, now: clocks.now() }, options.fixtures)
    if (options.templates !== undefined) folder = await openTemplates(database, options.templates, logger)
    if (ownSecretsOnly) await refuseDefaultSecrets(database)
  } catch (error) {
    await database.close()
    throw error
  }

  const authenticator = createAuthenticator(database, verified)
  const chance = createChance(ambient.randomBytes)
  const { randomBytes } = chance
  const nextOutcomes = createNextOutcomes()
  const faults = createFaults()
  const workAt: WorkAt = async (merchantId, now) => {
    const merchant = await authenticator.find(merchantId)
    const nextOutcome = () => nextOutcomes.take(merchantId)
    const fallsDue = () => timeline.wake()
    return (
      merchant &&
      openWork(database, { merchant, actor: { by: 'gateway' }, now, randomBytes, addresses, nextOutcome, fallsDue })
    )
  }
  const renderer = createRenderer(RENDER_WORKER)
  const sending = webhookTransports(webhooks, {
    render: mailRenderer({ database, addresses, renderer }),
    keep: (mail) =>
      database.write((queries) => insertMail(queries, { ...mail, created_at: clocks.now(mail.merchant_id) })),
  })
  const deliveries = createDeliveries({
    database,
    randomBytes,
    momentOf: clocks.now,
    machine: clocks.machine,
    findMerchant: authenticator.find,
    transports: sending.transports,
  })
  /** What falls due, in the order in which it is done at one moment. */
  const kinds: readonly DueKind[] = [
    expiriesDue(workAt),
    authenticationsDue({ workAt }),
    answersDue(workAt),
    chargesDue({ clocks, workAt }),
    deliveries.due,
  ]
  const timeline = createTimeline({ database, clocks, kinds, logger })
  const clock = createGatewayClock(clocks, timeline)

  const keys = createKeyRing(database)
  // Made at first start, while the first requests are already answered.
  const firstKeys = Promise.allSettled(merchants.map(({ id }) => keys.of(id)))
  const decryptor = createDecryptor(DECRYPT_WORKER)
  const decrypt = decryptReceived(keys, decryptor)
  const templates = createTemplates(renderer, (facts, message) => logger.warn(facts, message))
  const assets = assetsIn(WEB)
  const prefix = new URL(addresses.pay).pathname.replace(/\/$/, '')
  const render = createRender(WEB, assets, prefix, DOCS_FILTERS)

  const service = {
    database,
    clocks,
    randomBytes,
    nextOutcome: nextOutcomes.take,
    faults,
    wake: timeline.wake,
    addresses,
    askShop: askShop({ call: sending.call, randomBytes, machine: clocks.machine }),
  }
  const app = express()
  app.disable('x-powered-by')
  app.set('query parser', false)
  app.set('etag', (body: Buffer | string) => `"${hash('md5', body)}"`)
  app.use(beginExchange(service, requestLog(logger)), commonHeaders)
  app.use(knownHosts(hosts), noOwnWebhooks, noForeignWrites(addresses), strikeFaults)
  app.use(libraryRouter({ addresses, authenticator, keys, file: library }))
  app.use('/v1/form', hostedRouter({ addresses, authenticator, decrypt, render, templates }))
  app.use('/v1/acs', bankRouter({ addresses, authenticator, render }))
  app.use('/v1/mpi_js', statusRouter(authenticator), mpiRouter({ addresses, authenticator, decrypt, render }))
  app.use('/v1/ssn', ssnRouter(authenticator))
  app.use('/v1', apiRouter({ authenticator, decrypt }))
  app.use('/v2', apiV2Router({ authenticator, decrypt }))
  app.use(
    '/_control',
    controlRouter({
      key: controlKey,
      authenticator,
      database,
      timeline,
      nextOutcomes,
      chance,
      faults,
      templates,
      webhooks: { database, momentOf: clocks.now, machine: clocks.machine, wake: timeline.wake },
    }),
  )
  app.use(assetRouter(assets))
  app.use(docsRouter({ ...service, folder: CONTRACT, merchant: merchants.find(isDefaultMerchant), render }))
  app.use(healthRouter({ addresses, database, version }))
  app.use(notFound)
  app.use(refuse(logger))

  const listener = limitPipeline(app)
  return {
    app: listener,
    handle: answerInProcess(listener),
    clock,
    controlKey,
    async close() {
      await deliveries.drain()
      sending.close()
      // Keys that a hanging database does not take are made again at the next start.
      await Promise.all([timeline.stop(), Promise.race([firstKeys, setTimeout(KEYS_MS, undefined, { ref: false })])])
      await Promise.all([decryptor.close(), renderer.close(), folder?.close()])
      await database.close()
    },
  }
}

/** 128 random bits. */
export const randomControlKey = (): string => randomBytes(16).toString('base64url')

const NAMES: readonly string[] = [
  'database',
  'addresses',
  'hosts',
  'merchants',
  'secretsKey',
  'ownSecretsOnly',
  'ambient',
  'clock',
  'control',
  'webhooks',
  'logger',
  'templates',
  'fixtures',
  'library',
] satisfies readonly (keyof GatewayOptions)[]

/** Loads them where there is no data yet. @throws OptionError that says what is wrong where */
async function beginWith(parts: LoadParts, fixtures: unknown): Promise<void> {
  try {
    const file = readFixtures(fixtures)
    if (await isUnused(parts.database.db)) await loadFixtures(parts, file)
  } catch (error) {
    throw error instanceof GatewayError ? new OptionError(`${error.explain}.`) : error
  }
}

/** @throws OptionError when the folder cannot be read */
async function openTemplates(database: Database, folder: string, logger: Logger): Promise<TemplateFolder> {
  try {
    return await watchTemplates(database, folder, (message) => logger.warn(message))
  } catch (error) {
    throw new OptionError(`The folder of templates ${folder} cannot be read: ${(error as Error).message}`)
  }
}

/** The options with their defaults; what is wrong with one is said as on the command line. @throws OptionError */
function checked(options: GatewayOptions) {
  const unknown = Object.keys(options).find((name) => !NAMES.includes(name))
  if (unknown !== undefined)
    throw new OptionError(`There is no option ${JSON.stringify(unknown)}; createGateway takes ${NAMES.join(', ')}.`)
  const { database, addresses = { base: DEFAULT_ADDRESS, pay: DEFAULT_ADDRESS, cdn: DEFAULT_ADDRESS } } = options
  if (database?.includes('://')) readPostgres(database, 'database')
  return {
    ambient: options.ambient ?? MACHINE,
    logger: options.logger ?? pino({ enabled: false }),
    addresses: {
      base: readAddress(addresses.base, 'addresses.base'),
      pay: readAddress(addresses.pay, 'addresses.pay'),
      cdn: readAddress(addresses.cdn, 'addresses.cdn'),
    },
    hosts: options.hosts,
    merchants: readMerchantSeeds(options.merchants ?? [DEFAULT_MERCHANT], 'The option merchants'),
    library: options.library ?? LIBRARY,
    ownSecretsOnly: options.ownSecretsOnly ?? false,
    controlKey:
      options.control === false
        ? undefined
        : readControlKey(options.control ?? randomControlKey(), 'The option control'),
    webhooks: readWebhookOptions(options.webhooks),
  }
}
