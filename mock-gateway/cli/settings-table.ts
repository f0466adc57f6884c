import { PRESET_NAMES } from '../domain/presets.ts'

/**
 * One setting of the command: a flag, a variable of the environment, and a key of
 * `mondido.config.json`.
 */
export interface Setting {
  readonly env: string
  /** Kind of its value in `--help`; undefined: a switch. */
  readonly takes?: string
  readonly help: string
  /** Allowed values; undefined: any value. */
  readonly oneOf?: readonly string[]
  /** The value is a path; in the configuration file, relative to that file. */
  readonly isPath?: true
  /** The value is not printed. */
  readonly isSecret?: true
  /** The configuration file can contain the file's content instead of its path. */
  readonly mayBeInline?: true
}

/**
 * Every setting, in the order of `--help`. Flags, variables, file, help and JSON schema are made
 * from it.
 */
export const SETTINGS = {
  port: {
    env: 'PORT',
    takes: 'number',
    help: 'port to listen on (default 4400; 0 chooses a free one)',
  },
  host: { env: 'HOST', takes: 'address', help: 'address to listen on (default 127.0.0.1)' },
  memory: { env: 'MONDIDO_MEMORY', help: 'keep the data in memory, until the gateway stops' },
  data: {
    env: 'DATA_DIR',
    takes: 'folder',
    isPath: true,
    help: 'folder to keep the data in (default .mondido)',
  },
  database: {
    env: 'MONDIDO_DATABASE_URL',
    takes: 'address',
    isSecret: true,
    help: 'keep the data in PostgreSQL, postgres://..., in its own schema "mondido"',
  },
  'secrets-key': {
    env: 'MONDIDO_SECRETS_KEY',
    takes: 'key',
    isSecret: true,
    help: "encrypt merchants' secrets in the data: 32 bytes, as 64 hexadecimal digits or base64",
  },
  tls: { env: 'MONDIDO_TLS', help: 'https, with a certificate kept with the data' },
  'tls-cert': {
    env: 'MONDIDO_TLS_CERT',
    takes: 'file',
    isPath: true,
    help: 'https with a certificate of your own (PEM), for example from mkcert',
  },
  'tls-key': {
    env: 'MONDIDO_TLS_KEY',
    takes: 'file',
    isPath: true,
    help: 'key of that certificate',
  },
  'base-url': {
    env: 'BASE_URL',
    takes: 'address',
    help: 'public address of the gateway, if it differs from the address it listens on',
  },
  'pay-url': {
    env: 'PAY_URL',
    takes: 'address',
    help: 'public address of the payment page, if it differs',
  },
  'cdn-url': {
    env: 'CDN_URL',
    takes: 'address',
    help: 'public address of the browser library, if it differs',
  },
  merchants: {
    env: 'MERCHANTS_FILE',
    takes: 'file',
    isPath: true,
    mayBeInline: true,
    help: 'merchants as JSON: [{ "id": 7, "password": "...", "secret": "..." }]',
  },
  preset: {
    env: 'MONDIDO_PRESET',
    takes: 'client',
    oneOf: PRESET_NAMES,
    help: 'settings for an old client, such as woocommerce-3, prestashop, csharp-2, ios',
  },
  'control-key': {
    env: 'MONDIDO_CONTROL_KEY',
    takes: 'key',
    isSecret: true,
    help: 'key of the control API, for clock and faults (default: created once and kept with the data)',
  },
  'no-mock-header': {
    env: 'MONDIDO_NO_MOCK_HEADER',
    help: 'leave out the header Mondido-Mock, which tells shops that this is a mock',
  },
  'no-control': { env: 'MONDIDO_NO_CONTROL', help: 'turn off the control API (/_control)' },
  templates: {
    env: 'MONDIDO_TEMPLATES',
    takes: 'folder',
    isPath: true,
    help: 'page templates in Liquid for every merchant, such as 3-summer.liquid',
  },
  fixtures: {
    env: 'MONDIDO_FIXTURES',
    takes: 'file',
    isPath: true,
    mayBeInline: true,
    help: 'load initial data from this file (format: GET /_control/fixtures)',
  },
  'webhook-ca': {
    env: 'MONDIDO_WEBHOOK_CA',
    takes: 'file',
    isPath: true,
    help: 'extra certificate authority (PEM) to trust for https webhooks',
  },
  'webhook-addresses': {
    env: 'MONDIDO_WEBHOOK_ADDRESSES',
    takes: 'profile',
    oneOf: ['local', 'strict'],
    help: 'addresses that webhooks may be sent to: local (default; also private networks) or strict (public only)',
  },
  'webhook-retry-on': {
    env: 'MONDIDO_WEBHOOK_RETRY_ON',
    takes: 'answers',
    oneOf: ['500', '5xx', '5xx+network'],
    help: 'failures after which a webhook is retried: 500 (default), 5xx or 5xx+network',
  },
  'smtp-url': {
    env: 'MONDIDO_SMTP_URL',
    takes: 'address',
    isSecret: true,
    help: 'send mails through this server, such as smtp://localhost:1025 (default: store them only)',
  },
  'mail-from': { env: 'MONDIDO_MAIL_FROM', takes: 'address', help: 'sender address of mails' },
  report: {
    env: 'MONDIDO_REPORT',
    takes: 'file',
    isPath: true,
    help: 'when the gateway stops, write the timeline of each payment of this run to one web page',
  },
  log: {
    env: 'MONDIDO_LOG',
    takes: 'format',
    oneOf: ['text', 'json'],
    help: 'format of the log: text (default on a terminal) or json (default elsewhere)',
  },
  'log-level': {
    env: 'LOG_LEVEL',
    takes: 'level',
    oneOf: ['silent', 'error', 'warn', 'info', 'debug'],
    help: 'least severe messages to log: silent, error, warn, info (default) or debug',
  },
} as const satisfies Readonly<Record<string, Setting>>

export type SettingName = keyof typeof SETTINGS

/** The settings as a list. */
export const settingsList: readonly (Setting & { readonly name: SettingName })[] = (
  Object.keys(SETTINGS) as SettingName[]
).map((name) => ({ name, ...SETTINGS[name] }))

/** Converts a flag such as `webhook-ca` to its key in the configuration file, `webhookCa`. */
export const getKeyInFile = (name: SettingName): string =>
  name.replace(/-(\w)/g, (_dash, first: string) => first.toUpperCase())
