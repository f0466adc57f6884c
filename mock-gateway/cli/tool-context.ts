import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createControl, withOperations } from '../client/control.ts'
import { createClient } from '../client.ts'
import { DEFAULT_MERCHANT } from '../merchants/seed.ts'
import { CERTIFICATE } from './certificate.ts'
import { readAddress, readKeptControlKey } from './data-folder.ts'
import type { ToolContext } from './mcp/tools.ts'
import type { Environment } from './setting-sources.ts'
import { findFolder, readSettings, type Settings } from './settings.ts'
import { StartError } from './start-error.ts'

/** Flags that name a running gateway and a merchant. */
export interface ContextFlags {
  readonly gateway?: string
  readonly 'control-key'?: string
  readonly data?: string
  readonly config?: string
  readonly merchant?: string
  readonly password?: string
}

/**
 * Finds a running gateway: by flags, by MONDIDO_BASE_URL and MONDIDO_CONTROL_KEY, or in the data
 * folder that flags, environment and configuration file name.
 * @throws StartError
 */
export async function findToolContext(flags: ContextFlags, env: Environment): Promise<ToolContext> {
  const settings = await readGatewaySettings(flags, env)
  const folder = findFolder(settings)
  const url =
    flags.gateway ?? (env.MONDIDO_BASE_URL || undefined) ?? (folder && (await readAddress(folder)))
  if (url === undefined) throw new StartError(explainNoGateway(folder), 1)
  const key =
    typeof settings.control === 'string'
      ? settings.control
      : folder && (await readKeptControlKey(folder))
  if (key === undefined)
    throw new StartError(
      'The control key is not in the data folder: give it as MONDIDO_CONTROL_KEY.',
      2,
    )
  if (folder && url.startsWith('https:')) await trustCertificateIn(folder)
  return createToolContext(
    url.replace(/\/$/, ''),
    key,
    findMerchant(flags, env, settings.merchants),
  )
}

/**
 * Returns the merchant of flags or environment, otherwise the first known one.
 * @param merchants known merchants, for their secrets
 */
export function findMerchant(
  flags: Pick<ContextFlags, 'merchant' | 'password'>,
  env: Environment,
  merchants: readonly ToolContext['merchant'][] = [DEFAULT_MERCHANT],
): ToolContext['merchant'] {
  const named = flags.merchant ?? env.MONDIDO_MERCHANT_ID
  const id = Number(named ?? merchants[0]?.id)
  if (!Number.isSafeInteger(id) || id < 1)
    throw new StartError(`The merchant must be a number such as 1, not "${named}".`, 2)
  const known = merchants.find((merchant) => merchant.id === id)
  return {
    id,
    password: flags.password ?? env.MONDIDO_PASSWORD ?? known?.password ?? '',
    secret: env.MONDIDO_SECRET ?? known?.secret ?? '',
  }
}

/** @throws StartError */
export async function readGatewaySettings(
  flags: ContextFlags,
  env: Environment,
): Promise<Settings> {
  const given = (['config', 'data', 'control-key'] as const).flatMap((name) =>
    flags[name] === undefined ? [] : [`--${name}=${flags[name]}`],
  )
  const request = await readSettings(given, env)
  if (request.kind !== 'run') throw new Error('These flags always ask for a gateway')
  return request.settings
}

/** Creates the calls of a merchant and of the control API, for commands and for assistants. */
export function createToolContext(
  url: string,
  controlKey: string,
  merchant: ToolContext['merchant'],
): ToolContext {
  const { id: merchantId, password, secret } = merchant
  const client = createClient({ url, merchantId, password, secret })
  return {
    url,
    client,
    control: withOperations(createControl({ url, controlKey, fetch: globalThis.fetch })),
    merchant,
  }
}

const explainNoGateway = (folder: string | undefined): string =>
  folder === undefined
    ? 'The gateway has no data folder. Set --gateway and MONDIDO_CONTROL_KEY.'
    : `No gateway runs with the data folder ${folder}. Start one with mondido-gateway, or set --gateway and MONDIDO_CONTROL_KEY.`

/** Adds the certificate of `--tls` to those that this process trusts. */
async function trustCertificateIn(folder: string): Promise<void> {
  const own = await readFile(join(folder, 'tls', CERTIFICATE), 'utf8').catch(() => undefined)
  if (own !== undefined) setDefaultCACertificates([...getCACertificates('default'), own])
}
