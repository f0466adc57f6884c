import { randomBytes } from 'node:crypto'
import type { Addresses } from '../domain/addresses.ts'
import { type Ambient, type Logger, SILENT } from '../domain/ambient.ts'
import { createPooledBytes } from '../domain/chance.ts'
import { OptionError, readAddress, readControlKey, readPostgres } from '../domain/options.ts'
import { DEFAULT_MERCHANT, type MerchantSeed } from '../merchants/seed.ts'
import type { Moment } from '../scheduler/gateway-clock.ts'
import { readWebhookOptions, type WebhookOptions } from '../webhooks/options.ts'

/** Options of a gateway; all are optional. */
export interface GatewayOptions {
  /** 'memory' (default), the path of an SQLite file, or a postgres:// address. */
  readonly database?: string
  /** Public addresses of the gateway, used in links. Default: http://localhost:4400 for all. */
  readonly addresses?: Addresses
  /**
   * Accepted Host names of requests, such as `localhost` and `[::1]`, if only this machine may
   * reach the gateway. Default: any.
   */
  readonly hosts?: readonly string[] | undefined
  /** Default: `DEFAULT_MERCHANT`. */
  readonly merchants?: readonly MerchantSeed[]
  /**
   * 32 bytes as 64 hexadecimal digits or base64: encrypts merchants' secrets and private keys.
   * Default: they are stored unencrypted.
   */
  readonly secretsKey?: string | undefined
  /**
   * True if others can reach the gateway: merchants with the default password or secret are
   * rejected, including replaced ones, and new merchants start with `live_cards: 'refuse'`.
   */
  readonly ownSecretsOnly?: boolean
  /** Clock and random bytes. Default: the machine's. */
  readonly ambient?: Ambient
  /** Initial time of the common clock, unless it was moved before. Default: the machine's time. */
  readonly clock?: Moment | undefined
  /**
   * Key of the control API `/_control`, at least 8 characters; false disables that API. Default: a
   * random key, see `Gateway.controlKey`.
   */
  readonly control?: string | false | undefined
  /** Options of webhooks. */
  readonly webhooks?: WebhookOptions
  /** Default: no log. */
  readonly logger?: Logger
  /**
   * Initial data in the format of `GET /_control/fixtures`; ignored if the database already has
   * data.
   */
  readonly fixtures?: unknown
  /**
   * Folder of page templates in Liquid for every merchant, such as `3-summer.liquid`; changes are
   * loaded automatically.
   */
  readonly templates?: string | undefined
  /**
   * Receives a report when the gateway closes: the stories of all payments of the run, as one page
   * of HTML without external resources, secrets and card numbers. Default: no report.
   */
  readonly report?: ((html: string) => Promise<void>) | undefined
  /** False removes the header `Mondido-Mock`, with which a shop detects a mock. Default: true. */
  readonly mockHeader?: boolean | undefined
  /** Path of the built browser library. */
  readonly library?: string
}

/**
 * The machine's clock and its secure random bytes.
 * @example
 * import { createGateway, MACHINE } from 'mondido-gateway'
 *
 * const ambient = { ...MACHINE, now: () => Date.UTC(2030, 0, 1) }
 * const gateway = await createGateway({ ambient })
 * console.log(new Date(gateway.clock.now()).getUTCFullYear()) // 2030
 * await gateway.close()
 */
export const MACHINE: Ambient = { now: Date.now, randomBytes: createPooledBytes(randomBytes) }

const DEFAULT_ADDRESS = 'http://localhost:4400'
/**
 * Returns 128 random bits in hexadecimal: a command would read a key that starts with a hyphen as a
 * flag.
 * @example
 * import { createGateway, createRandomControlKey } from 'mondido-gateway'
 *
 * const control = createRandomControlKey()
 * const gateway = await createGateway({ control })
 * console.log(gateway.controlKey === control) // true
 * await gateway.close()
 */
export const createRandomControlKey = (): string => randomBytes(16).toString('hex')

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
  'report',
  'mockHeader',
  'library',
] satisfies readonly (keyof GatewayOptions)[]

/** Options with their defaults. */
export type CheckedOptions = Awaited<ReturnType<typeof checkOptions>>

/**
 * Applies the defaults of the options; errors are worded as on the command line. @throws
 * OptionError
 */
export async function checkOptions(options: GatewayOptions, library: string) {
  const unknown = Object.keys(options).find((name) => !NAMES.includes(name))
  if (unknown !== undefined)
    throw new OptionError(
      `There is no option ${JSON.stringify(unknown)}. The options of createGateway are ${NAMES.join(', ')}.`,
    )
  const {
    database,
    addresses = { base: DEFAULT_ADDRESS, pay: DEFAULT_ADDRESS, cdn: DEFAULT_ADDRESS },
  } = options
  if (database?.includes('://')) readPostgres(database, 'database')
  return {
    database: database ?? 'memory',
    secretsKey: options.secretsKey,
    ambient: options.ambient ?? MACHINE,
    logger: options.logger ?? SILENT,
    addresses: {
      base: readAddress(addresses.base, 'addresses.base'),
      pay: readAddress(addresses.pay, 'addresses.pay'),
      cdn: readAddress(addresses.cdn, 'addresses.cdn'),
    },
    hosts: options.hosts,
    merchants: await checkMerchants(options.merchants ?? [DEFAULT_MERCHANT]),
    library: options.library ?? library,
    ownSecretsOnly: options.ownSecretsOnly ?? false,
    mockHeader: options.mockHeader ?? true,
    controlKey:
      options.control === false
        ? undefined
        : readControlKey(options.control ?? createRandomControlKey(), 'The option control'),
    webhooks: readWebhookOptions(options.webhooks),
  }
}

/** Validates configured merchants. A start without them does not load the schema. */
async function checkMerchants(given: readonly MerchantSeed[]): Promise<readonly MerchantSeed[]> {
  if (given.length === 1 && given[0] === DEFAULT_MERCHANT) return given
  const { readMerchantSeeds } = await import('../merchants/seed-schema.ts')
  return readMerchantSeeds(given, 'The option merchants')
}
