import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Addresses } from '../domain/addresses.ts'
import { OptionError, readAddress, readControlKey, readPostgres } from '../domain/options.ts'
import { DEFAULT_MERCHANT, type MerchantSeed, readMerchantSeeds } from '../merchants/seed.ts'
import { readSecretsKey } from '../storage/secrets.ts'
import { readWebhookOptions, type WebhookOptions } from '../webhooks/options.ts'
import { reasonOf, StartError } from './start-error.ts'

/** How the gateway is to be run, from the command line and the environment. */
export interface Settings {
  readonly host: string
  readonly port: number
  /** Undefined: http. */
  readonly tls: Tls | undefined
  /** 'memory', the path of an SQLite file, or a postgres:// address. */
  readonly database: string
  /** Undefined: merchants' secrets are kept in clear. */
  readonly secretsKey: string | undefined
  /** The others follow from `base`, and that from host and port. */
  readonly addresses: Partial<Addresses>
  readonly merchants: readonly MerchantSeed[]
  /** Key of the control API; undefined: one is made, false: there is no such API. */
  readonly control: string | false | undefined
  readonly webhooks: WebhookOptions
  /** Folder of page templates. */
  readonly templates: string | undefined
  /** What new data begins with. */
  readonly fixtures: unknown
  readonly logLevel: string
}

/** Paths of one's own certificate and key, or the folder of the one that is made; undefined keeps none. */
export type Tls = { readonly cert: string; readonly key: string } | { readonly folder: string | undefined }

/** What was asked for instead of a gateway. */
export type Request =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'run'; readonly settings: Settings }

type Environment = Readonly<Record<string, string | undefined>>

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug']

/**
 * Reads flags and environment; a flag wins over its variable, an empty variable counts as unset.
 * @throws StartError with exit code 2
 */
export function readSettings(argv: readonly string[], env: Environment): Request {
  try {
    return read(argv, env)
  } catch (error) {
    throw error instanceof OptionError ? new StartError(error.message, 2) : error
  }
}

function read(argv: readonly string[], env: Environment): Request {
  const flags = readFlags(argv)
  if (flags.help) return { kind: 'help' }
  if (flags.version) return { kind: 'version' }
  const logLevel = env.LOG_LEVEL || 'info'
  if (!LOG_LEVELS.includes(logLevel)) throw new StartError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`, 2)
  const settings: Settings = {
    host: (flags.host ?? (env.HOST || '127.0.0.1')).replace(/^\[(.*)\]$/, '$1'),
    port: readPort(flags.port ?? (env.PORT || '4400'), 'The port'),
    tls: readTls(flags, env),
    database: readDatabase(flags, env),
    secretsKey: checkSecretsKey(flags['secrets-key'] ?? (env.MONDIDO_SECRETS_KEY || undefined)),
    addresses: readAddresses(env),
    merchants: readMerchants(flags.merchants ?? env.MERCHANTS_FILE),
    control: readControl(flags, env),
    webhooks: readWebhooks(flags, env),
    templates: flags.templates ?? (env.MONDIDO_TEMPLATES || undefined),
    fixtures: readFixturesFile(flags.fixtures ?? (env.MONDIDO_FIXTURES || undefined)),
    logLevel,
  }
  refuseDefaultSecrets(settings)
  return { kind: 'run', settings }
}

function readTls(flags: Flags, env: Environment): Tls | undefined {
  const { tls, memory, 'tls-cert': cert, 'tls-key': key } = flags
  if (cert !== undefined && key !== undefined) return { cert: resolve(cert), key: resolve(key) }
  if (cert !== undefined || key !== undefined) throw new StartError('--tls-cert and --tls-key go together.', 2)
  return tls ? { folder: memory ? undefined : join(dataFolder(flags, env), 'tls') } : undefined
}

const dataFolder = (flags: Flags, env: Environment) => resolve(flags.data ?? (env.DATA_DIR || '.mondido'))

/** A flag, whichever, wins over the environment; an address over a folder. */
function readDatabase(flags: Flags, env: Environment): string {
  const [first, second] = (['memory', 'data', 'database'] as const).filter((name) => flags[name] !== undefined)
  if (second) throw new StartError(`--${first} and --${second} exclude each other.`, 2)
  if (flags.memory) return 'memory'
  const address = flags.database ?? (first ? undefined : env.MONDIDO_DATABASE_URL || undefined)
  if (address === undefined) return join(dataFolder(flags, env), 'gateway.db')
  return readPostgres(address, flags.database === undefined ? 'MONDIDO_DATABASE_URL' : '--database')
}

function checkSecretsKey(key: string | undefined): string | undefined {
  try {
    if (key !== undefined) readSecretsKey(key)
    return key
  } catch (error) {
    throw new StartError(`The secrets key cannot be used: ${reasonOf(error)}.`, 2)
  }
}

function readControl(flags: Flags, env: Environment): string | false | undefined {
  const { 'control-key': flag, 'no-control': isOff } = flags
  if (isOff && flag !== undefined) throw new StartError('--no-control and --control-key exclude each other.', 2)
  if (isOff) return false
  const key = flag ?? (env.MONDIDO_CONTROL_KEY || undefined)
  return key && readControlKey(key, flag === undefined ? 'MONDIDO_CONTROL_KEY' : '--control-key')
}

type Flags = ReturnType<typeof readFlags>

function readFlags(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        memory: { type: 'boolean' },
        data: { type: 'string' },
        database: { type: 'string' },
        'secrets-key': { type: 'string' },
        tls: { type: 'boolean' },
        'tls-cert': { type: 'string' },
        'tls-key': { type: 'string' },
        merchants: { type: 'string' },
        'control-key': { type: 'string' },
        'no-control': { type: 'boolean' },
        fixtures: { type: 'string' },
        templates: { type: 'string' },
        'webhook-ca': { type: 'string' },
        'webhook-addresses': { type: 'string' },
        'webhook-retry-on': { type: 'string' },
        'smtp-url': { type: 'string' },
        'mail-from': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    }).values
  } catch (error) {
    const [sentence] = (error as Error).message.split('. ')
    throw new StartError(`${sentence}. See --help.`, 2)
  }
}

/** @param what it is, at the beginning of the sentence. @throws StartError with exit code 2 */
export function readPort(text: string, what: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new StartError(`${what} must be a number from 0 to 65535, not "${text}".`, 2)
}

function readAddresses(env: Environment): Partial<Addresses> {
  const addresses: { -readonly [Role in keyof Addresses]?: string } = {}
  for (const [role, name] of [
    ['base', 'BASE_URL'],
    ['pay', 'PAY_URL'],
    ['cdn', 'CDN_URL'],
  ] as const) {
    const text = env[name]
    if (!text) continue
    addresses[role] = readAddress(text, name)
  }
  return addresses
}

function readMerchants(file: string | undefined): readonly MerchantSeed[] {
  if (!file) return [DEFAULT_MERCHANT]
  return readMerchantSeeds(readJson(file), `The merchants file ${file}`)
}

/** @throws OptionError, StartError with exit code 2 */
function readWebhooks(flags: Flags, env: Environment): WebhookOptions {
  const file = flags['webhook-ca'] ?? (env.MONDIDO_WEBHOOK_CA || undefined)
  const addresses = flags['webhook-addresses'] ?? (env.MONDIDO_WEBHOOK_ADDRESSES || undefined)
  const retryOn = flags['webhook-retry-on'] ?? (env.MONDIDO_WEBHOOK_RETRY_ON || undefined)
  const smtp = flags['smtp-url'] ?? (env.MONDIDO_SMTP_URL || undefined)
  const from = flags['mail-from'] ?? (env.MONDIDO_MAIL_FROM || undefined)
  const ca = file === undefined ? undefined : readAuthority(file)
  return readWebhookOptions({ ca, addresses, retryOn, smtp, from } as WebhookOptions)
}

function readAuthority(file: string): string {
  try {
    const pem = readFileSync(file, 'utf8')
    new X509Certificate(pem)
    return pem
  } catch (error) {
    throw new StartError(`The authority of webhooks ${file} cannot be used: ${reasonOf(error)}.`, 2)
  }
}

const readFixturesFile = (file: string | undefined): unknown =>
  file === undefined ? undefined : readJson(file, 'fixtures')

function readJson(file: string, what = 'merchants'): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new StartError(`The ${what} file ${file} cannot be used: ${reasonOf(error)}.`, 2)
  }
}

/** Secrets that everybody knows are for this machine only. */
function refuseDefaultSecrets({ host, merchants }: Settings) {
  const open = merchants.find(
    ({ password, secret }) => password === DEFAULT_MERCHANT.password || secret === DEFAULT_MERCHANT.secret,
  )
  if (open && !isLoopback(host))
    throw new StartError(
      `On ${host} others can reach the gateway, but merchant ${open.id} has the default password or secret: give merchants of your own with --merchants.`,
      2,
    )
}

/** True for an address that only this machine reaches. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/i.test(host)
