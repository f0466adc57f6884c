import { cleanValue, sendableBrand } from '../card/card.ts'
import { encryptValue, type PublicKey, readPublicKey } from '../crypto/rsa.ts'
import { Fault, type FaultDetails } from '../errors/faults.ts'
import { checkForm, listUniqueSecrets } from '../form/rules.ts'
import {
  getFieldValue,
  isTestPayment,
  type Pair,
  type SecretField,
  type Snapshot,
} from '../form/snapshot.ts'
import { chooseMerchant, type Merchant } from '../settings/merchant.ts'
import type { Settings } from '../settings/options.ts'
import type { Attempt, Payload } from '../state.ts'
import { getLocale } from '../ui/texts.ts'
import { VERSION } from '../version.ts'

/**
 * Builds the payload of an attempt from the form: checks it, encrypts the annotated inputs, and
 * adds the library's own parameters (`encrypted`, `merchant_id`, `locale`, `mondido_attempt`,
 * `mondido_v`).
 * @throws Fault of the categories integration, validation and crypto
 */
export function prepare({ id, mounted, settings }: Attempt, snapshot: Snapshot): Payload {
  if (settings.wrong[0]) throw new Fault('config.option_invalid', { facts: settings.wrong[0] })
  checkForm(snapshot, settings.type)
  // Pages without type checks may set a number.
  const merchantId = settings.merchantId && String(settings.merchantId).trim()
  const merchant = chooseMerchant(
    getFieldValue(snapshot, 'merchant_id'),
    merchantId,
    mounted.shared.configs,
  )
  const isTest = isTestPayment(snapshot)
  if (!isTest && window.isSecureContext === false) {
    throw new Fault('config.insecure_context')
  }
  const fill = createCardTypeFiller(snapshot)
  const encrypted = encryptAll(
    listUniqueSecrets(snapshot.secrets.map(fill), isTest),
    settings,
    merchant,
  )
  const url = findAddress(mounted.form, settings, merchant)
  return {
    url,
    statusUrl: createStatusAddress(url, id, merchant),
    mpiUrl: findMpiAddress(settings, snapshot, merchant.config?.mpiUrl),
    isForm: settings.type === 'form',
    keyOf: settings.publicKey ? undefined : merchant.config,
    fields: assembleFields(snapshot.plain.map(fill), encrypted, [
      ['merchant_id', merchant.id],
      // The service's default language is Swedish.
      ['locale', getLocale(settings, getFieldValue(snapshot, 'locale'))],
      ['mondido_attempt', id],
      ['mondido_v', VERSION],
    ]),
    files: snapshot.files,
  }
}

/** Fills an empty `card_type`; the input stays empty (observed: page contract). */
function createCardTypeFiller({ secrets }: Snapshot): (field: Pair | SecretField) => Pair {
  const [, number = ''] = secrets.find(([name, value]) => name === 'card_number' && value) || []
  return ([name, value]) => [
    name,
    (name === 'card_type' && !value && sendableBrand(number)) || value,
  ]
}

function encryptAll(secrets: readonly Pair[], settings: Settings, { config }: Merchant): Pair[] {
  if (!secrets.length) return []
  const pem = settings.publicKey ?? config?.publicKey
  if (!pem) throw new Fault('config.public_key_missing')
  const key = readPublicKey(pem)
  return secrets.map(
    ([name, value]): Pair => [name, encryptField(name, cleanValue(name, value), key)],
  )
}

/**
 * Encrypts one field, and names it in errors.
 * @throws Fault `field.too_long`, `crypto.unavailable`, `crypto.failed`
 */
function encryptField(name: string, value: string, key: PublicKey): string {
  try {
    return encryptValue(value, key)
  } catch (thrown) {
    if (thrown instanceof Fault) throw new Fault(thrown.code, { ...thrown.details, field: name })
    throw new Fault('crypto.failed', { facts: { field: name }, field: name, cause: thrown })
  }
}

/**
 * Returns all fields in the order of sending. `encrypted` lists the encrypted names after those
 * that the page lists, and is left out if there are none (specification: Create transaction).
 */
function assembleFields(
  plain: readonly Pair[],
  encrypted: readonly Pair[],
  added: readonly Pair[],
): Pair[] {
  const ours = new Set(['encrypted', ...added.map(([name]) => name)])
  const isTheirs = ([name]: Pair) => !ours.has(name)
  const listed = plain.filter(([name]) => name === 'encrypted').map(([, names]) => names)
  const hidden = encrypted.filter(isTheirs)
  const all = [...listed, ...hidden.map(([name]) => name)].join().split(',')
  const names = new Set(all.map((name) => name.trim()))
  names.delete('')
  const list: Pair[] = names.size ? [['encrypted', [...names].join(',')]] : []
  return [...plain.filter(isTheirs), ...hidden, ...list, ...added]
}

const DEFAULT_PATH = { ajax: ['apiUrl', '/v1/transactions'], form: ['payUrl', '/v1/form'] } as const

/** Returns the option, the action or the served address (observed: page contract). */
function findAddress(form: HTMLFormElement, settings: Settings, { config }: Merchant): string {
  const [role, path] = DEFAULT_PATH[settings.type]
  const address =
    settings.url ??
    (form.getAttribute('action')?.replace(/^\s*(?:#\s*|javascript:.*)?$/s, '') ||
      (config && config[role] + path))
  return readHttpAddress(address, { facts: { path } })
}

/** Returns the address of an attempt's status at the API, also for the hosted flow. */
function createStatusAddress(
  url: string,
  attempt: string,
  { id, config }: Merchant,
): string | undefined {
  const [, origin] = /^(.*)\/v[12]\/(?:transactions|form)\/?(?:[?#]|$)/.exec(url) || []
  const base = origin && origin === config?.payUrl ? config.apiUrl : origin
  return base && `${base}/v1/attempts/${attempt}?merchant_id=${encodeURIComponent(id)}`
}

/**
 * Returns the address of the 3-D Secure entry; undefined if no authentication is needed. In form
 * mode the hosted flow authenticates, a prepared payment needs none, and a merchant without 3-D
 * Secure has no address.
 * @throws Fault `config.url_invalid`
 */
export function findMpiAddress(
  settings: Settings,
  snapshot: Snapshot,
  served: string | undefined,
): string | undefined {
  const address = settings.mpiUrl ?? served
  const isWanted =
    settings.type === 'ajax' && settings.mpi && getFieldValue(snapshot, 'process') !== 'false'
  return isWanted && address ? readHttpAddress(address, { why: 'mpi' }) : undefined
}

/**
 * Returns an absolute address.
 * @param details facts of the fault
 * @throws Fault `config.url_invalid` if it is not an http(s) address
 */
function readHttpAddress(address: string | undefined, details: FaultDetails): string {
  try {
    const url = new URL(address || '', address && document.baseURI)
    if (/^https?:$/.test(url.protocol)) return url.href
  } catch {
    // Not an address: refused below like every other scheme.
  }
  throw new Fault('config.url_invalid', details)
}
