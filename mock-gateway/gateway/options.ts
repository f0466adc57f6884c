import { randomBytes } from 'node:crypto'
import type { Addresses } from '../domain/addresses.ts'
import type { Ambient } from '../domain/ambient.ts'
import { pooledBytes } from '../domain/chance.ts'
import { type Logger, SILENT } from '../domain/logger.ts'
import { OptionError, readAddress, readControlKey, readPostgres } from '../domain/options.ts'
import { DEFAULT_MERCHANT, type MerchantSeed, readMerchantSeeds } from '../merchants/seed.ts'
import type { Moment } from '../scheduler/gateway-clock.ts'
import { readWebhookOptions, type WebhookOptions } from '../webhooks/options.ts'

/** How a gateway is made. Everything may be left out. */
export interface GatewayOptions {
  /** 'memory' (default), the path of an SQLite file, or a postgres:// address. */
  readonly database?: string
  /**
   * Where the gateway is reached from outside; links are built from these. Default:
   * http://localhost:4400 for all.
   */
  readonly addresses?: Addresses
  /**
   * Names that a request's Host may have, such as `localhost` and `[::1]`, where only this machine
   * is to be reached. Default: any.
   */
  readonly hosts?: readonly string[] | undefined
  /** Default: `DEFAULT_MERCHANT`. */
  readonly merchants?: readonly MerchantSeed[]
  /**
   * 32 bytes as 64 hexadecimal digits or base64: encrypts merchants' secrets and private keys.
   * Default: they are in clear.
   */
  readonly secretsKey?: string | undefined
  /**
   * True where others can reach the gateway: merchants with the default password or secret are
   * rejected, old ones too, and new merchants begin with `live_cards: 'refuse'`.
   */
  readonly ownSecretsOnly?: boolean
  /** Time and chance. Default: the machine's. */
  readonly ambient?: Ambient
  /**
   * Where everybody's clock stands from the start, unless it was moved before. Default: the
   * machine's time.
   */
  readonly clock?: Moment | undefined
  /**
   * Key of the control API `/_control`, at least 8 characters; false: there is no such API.
   * Default: a random key, which `Gateway.controlKey` tells.
   */
  readonly control?: string | false | undefined
  /** How webhooks are sent. */
  readonly webhooks?: WebhookOptions
  /** Default: nothing is logged. */
  readonly logger?: Logger
  /**
   * What new data begins with, as `GET /_control/fixtures` writes it; where there is data already
   * it is left alone.
   */
  readonly fixtures?: unknown
  /**
   * Folder of page templates in Liquid that every merchant may use, such as `3-summer.liquid`; read
   * again when one changes.
   */
  readonly templates?: string | undefined
  /**
   * Is given, when the gateway ends, the stories of all payments to which something happened: one
   * page of HTML without outside parts, secrets and card numbers. Left out: nobody notes them.
   */
  readonly report?: ((html: string) => Promise<void>) | undefined
  /**
   * False leaves out the header `Mondido-Mock`, by which a shop notices that it talks to a mock.
   * Default: true.
   */
  readonly mockHeader?: boolean | undefined
  /** Path of the built browser library. */
  readonly library?: string
}

/** The machine's clock and its secure random bytes. */
export const MACHINE: Ambient = { now: Date.now, randomBytes: pooledBytes(randomBytes) }

const DEFAULT_ADDRESS = 'http://localhost:4400'
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
  'report',
  'mockHeader',
  'library',
] satisfies readonly (keyof GatewayOptions)[]

/** Options with their defaults. */
export type CheckedOptions = ReturnType<typeof checkOptions>

/**
 * Fills in the defaults of the options; errors are worded as on the command line. @throws
 * OptionError
 */
export function checkOptions(options: GatewayOptions, library: string) {
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
    merchants: readMerchantSeeds(options.merchants ?? [DEFAULT_MERCHANT], 'The option merchants'),
    library: options.library ?? library,
    ownSecretsOnly: options.ownSecretsOnly ?? false,
    mockHeader: options.mockHeader ?? true,
    controlKey:
      options.control === false
        ? undefined
        : readControlKey(options.control ?? randomControlKey(), 'The option control'),
    webhooks: readWebhookOptions(options.webhooks),
  }
}
