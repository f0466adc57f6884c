import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Addresses } from '../domain/addresses.ts'
import { OptionError, readAddress, readControlKey, readPostgres } from '../domain/options.ts'
import { isPreset, PRESET_NAMES, type PresetName } from '../domain/presets.ts'
import { DEFAULT_MERCHANT, type MerchantSeed } from '../merchants/seed.ts'
import { readSecretsKey } from '../storage/secrets.ts'
import { readWebhookOptions, type WebhookOptions } from '../webhooks/options.ts'
import {
  type Environment,
  findSetting,
  type GetSetting,
  type GivenSetting,
  listSources,
  readContent,
  readFlags,
  type Source,
} from './setting-sources.ts'
import {
  getKeyInFile,
  SETTINGS,
  type Setting,
  type SettingName,
  settingsList,
} from './settings-table.ts'
import { findReason, StartError } from './start-error.ts'

/** Settings of the gateway from the command line, the environment and the configuration file. */
export interface Settings {
  readonly host: string
  readonly port: number
  /** Certificate; undefined: http. */
  readonly tls: Tls | undefined
  /** 'memory', the path of an SQLite file, or a postgres:// address. */
  readonly database: string
  /** Key that encrypts merchants' secrets; undefined: they are stored unencrypted. */
  readonly secretsKey: string | undefined
  /** The other addresses are derived from `base`, and `base` from host and port. */
  readonly addresses: Partial<Addresses>
  readonly merchants: readonly MerchantSeed[]
  /** Key of the control API; undefined: a key is generated, false: there is no control API. */
  readonly control: string | false | undefined
  readonly mockHeader: boolean
  readonly webhooks: WebhookOptions
  /** Folder of page templates. */
  readonly templates: string | undefined
  /** Initial data. */
  readonly fixtures: unknown
  /** File that is written at the end. */
  readonly report: string | undefined
  /** Undefined: text on a terminal, JSON elsewhere. */
  readonly log: string | undefined
  readonly logLevel: string
}

/**
 * Paths of the operator's certificate and key, or the folder of the generated certificate;
 * undefined stores none.
 */
export type Tls =
  | { readonly cert: string; readonly key: string }
  | { readonly folder: string | undefined }

/** A request other than to start a gateway. */
export type Request =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'print-schema' }
  | { readonly kind: 'print-config'; readonly config: string }
  | { readonly kind: 'run'; readonly settings: Settings }

/**
 * Reads flags, environment and configuration file. The first one that has a setting takes
 * precedence.
 * @param defaults of a command, written as variables; they come last
 * @throws StartError with exit code 2
 */
export async function readSettings(
  argv: readonly string[],
  env: Environment,
  defaults: Environment = {},
): Promise<Request> {
  try {
    return await read(argv, env, defaults)
  } catch (error) {
    throw error instanceof OptionError ? new StartError(error.message, 2) : error
  }
}

async function read(
  argv: readonly string[],
  env: Environment,
  defaults: Environment,
): Promise<Request> {
  const flags = readFlags(argv)
  for (const kind of ['help', 'version', 'print-schema'] as const) if (flags[kind]) return { kind }
  const sources = listSources(flags, env, defaults)
  const get: GetSetting = (name) => findSetting(sources, name)
  const text = (name: SettingName) => get(name)?.value as string | undefined
  const database = readDatabase(sources)
  const settings: Settings = {
    host: (text('host') ?? '127.0.0.1').replace(/^\[(.*)\]$/, '$1'),
    port: readPort(text('port') ?? '4400', 'The port'),
    tls: readTls(get, database),
    database,
    secretsKey: checkSecretsKey(text('secrets-key')),
    addresses: readAddresses(get),
    merchants: await readMerchants(get('merchants'), get('preset')),
    control: readControl(get),
    mockHeader: !get('no-mock-header'),
    webhooks: readWebhooks(get),
    templates: text('templates'),
    fixtures: readContent(get('fixtures'), 'fixtures'),
    report: text('report'),
    log: readChoice('log', get('log')),
    logLevel: readChoice('log-level', get('log-level')) ?? 'info',
  }
  refuseDefaultSecrets(settings)
  return flags['print-config']
    ? { kind: 'print-config', config: writeConfig(get) }
    : { kind: 'run', settings }
}

/** Returns every setting with its value and source. Secrets are masked. */
function writeConfig(get: GetSetting): string {
  const shown = settingsList.flatMap(({ name, isSecret, mayBeInline }) => {
    const given = get(name)
    if (!given) return []
    const isHidden = isSecret || (mayBeInline && typeof given.value === 'object')
    return [
      [getKeyInFile(name), { value: isHidden ? '***' : given.value, from: given.from }] as const,
    ]
  })
  return JSON.stringify(Object.fromEntries(shown), null, 2)
}

/** Reads a setting with a list of allowed values. @throws StartError if the value is not listed */
function readChoice(name: 'log' | 'log-level', given: GivenSetting | undefined) {
  if (given === undefined) return undefined
  const { oneOf }: Setting = SETTINGS[name]
  const value = String(given.value)
  if (oneOf?.includes(value)) return value
  throw new StartError(`${given?.from} must be one of ${oneOf?.join(', ')}.`, 2)
}

function readTls(get: GetSetting, database: string): Tls | undefined {
  const [cert, key] = [get('tls-cert')?.value, get('tls-key')?.value]
  if (cert !== undefined && key !== undefined)
    return { cert: resolve(String(cert)), key: resolve(String(key)) }
  if (cert !== undefined || key !== undefined)
    throw new StartError('--tls-cert and --tls-key must be given together.', 2)
  return (
    get('tls') && {
      folder: database === 'memory' ? undefined : join(resolveDataFolder(get('data')), 'tls'),
    }
  )
}

const resolveDataFolder = (given: GivenSetting | undefined) =>
  resolve(String(given?.value ?? '.mondido'))

/**
 * Reads the database. The first source with a value wins, as address or folder; within a source,
 * the address wins.
 */
function readDatabase(sources: readonly Source[]): string {
  for (const { get, isExact } of sources) {
    const [first, second] = DATA.flatMap((name) => (get(name)?.value ? (get(name) ?? []) : []))
    if (first && second && isExact)
      throw new StartError(`${first.from} and ${second.from} exclude each other.`, 2)
    if (get('memory')?.value) return 'memory'
    const address = get('database')
    if (address) return readPostgres(String(address.value), address.from)
    if (get('data')) return join(resolveDataFolder(get('data')), 'gateway.db')
  }
  return join(resolveDataFolder(undefined), 'gateway.db')
}

const DATA = ['memory', 'data', 'database'] as const

function checkSecretsKey(key: string | undefined): string | undefined {
  try {
    if (key !== undefined) readSecretsKey(key)
    return key
  } catch (error) {
    throw new StartError(`The secrets key cannot be used: ${findReason(error)}.`, 2)
  }
}

/**
 * Returns the control key. A flag takes precedence over a variable: `--no-control` over a key in
 * the environment, `--control-key` over a variable that turns the control API off.
 */
function readControl(get: GetSetting): string | false | undefined {
  const [off, key] = [get('no-control'), get('control-key')]
  if (off?.from.startsWith('--') && key?.from.startsWith('--'))
    throw new StartError('--no-control and --control-key exclude each other.', 2)
  if (off && !key?.from.startsWith('--')) return false
  return key && readControlKey(String(key.value), key.from)
}

/**
 * @param what name of the setting, for the start of the sentence
 * @throws StartError with exit code 2
 */
export function readPort(text: string, what: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new StartError(`${what} must be a number from 0 to 65535, not "${text}".`, 2)
}

function readAddresses(get: GetSetting): Partial<Addresses> {
  const read = (name: SettingName) => {
    const given = get(name)
    return given && readAddress(String(given.value), given.from)
  }
  const addresses = { base: read('base-url'), pay: read('pay-url'), cdn: read('cdn-url') }
  return Object.fromEntries(
    Object.entries(addresses).filter(([, address]) => address !== undefined),
  )
}

/** @param preset for merchants without their own */
async function readMerchants(
  given: GivenSetting | undefined,
  preset: GivenSetting | undefined,
): Promise<readonly MerchantSeed[]> {
  const merchants = given
    ? (await import('../merchants/seed-schema.ts')).readMerchantSeeds(
        readContent(given, 'merchants'),
        typeof given.value === 'string' ? `The merchants file ${given.value}` : given.from,
      )
    : [DEFAULT_MERCHANT]
  const name = readPreset(preset)
  return name === undefined
    ? merchants
    : merchants.map((merchant) => ({ preset: name, ...merchant }))
}

function readPreset(given: GivenSetting | undefined): PresetName | undefined {
  const name = given && String(given.value)
  if (name === undefined || isPreset(name)) return name
  throw new StartError(
    `There is no preset "${name}". The presets are ${PRESET_NAMES.join(', ')}.`,
    2,
  )
}

/** @throws OptionError, StartError with exit code 2 */
function readWebhooks(get: GetSetting): WebhookOptions {
  const text = (name: SettingName) => get(name)?.value as string | undefined
  const file = text('webhook-ca')
  return readWebhookOptions({
    ca: file === undefined ? undefined : readAuthority(file),
    addresses: text('webhook-addresses'),
    retryOn: text('webhook-retry-on'),
    smtp: text('smtp-url'),
    from: text('mail-from'),
  } as WebhookOptions)
}

function readAuthority(file: string): string {
  try {
    const pem = readFileSync(file, 'utf8')
    new X509Certificate(pem)
    return pem
  } catch (error) {
    throw new StartError(
      `The certificate authority ${file} of --webhook-ca cannot be used: ${findReason(error)}.`,
      2,
    )
  }
}

/** Rejects public default secrets on addresses that others can reach. */
function refuseDefaultSecrets({ host, merchants }: Settings) {
  const open = merchants.find(
    ({ password, secret }) =>
      password === DEFAULT_MERCHANT.password || secret === DEFAULT_MERCHANT.secret,
  )
  if (open && !isLoopback(host))
    throw new StartError(
      `Other machines can reach the gateway on ${host}, but merchant ${open.id} has the default password or secret: define your own merchants with --merchants.`,
      2,
    )
}

/** Returns the data folder; undefined if the data are not in a file. */
export const findFolder = ({ database }: Pick<Settings, 'database'>): string | undefined =>
  database === 'memory' || database.includes('://') ? undefined : dirname(database)

/** Returns true for an address that only this machine reaches. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/i.test(host)
