import { cleanValue, sendableBrand } from '../card/card.ts'
import { encryptValue } from '../crypto/encrypt.ts'
import { type PublicKey, readPublicKey } from '../crypto/public-key.ts'
import { Fault } from '../errors/faults.ts'
import { checkForm, uniqueSecrets } from '../form/rules.ts'
import {
  fieldValue,
  isTestPayment,
  type Pair,
  type SecretField,
  type Snapshot,
} from '../form/snapshot.ts'
import { chooseMerchant, type Merchant } from '../settings/merchant.ts'
import type { Settings } from '../settings/options.ts'
import type { Attempt } from '../state.ts'
import { httpAddress, mpiAddress } from '../three-d-secure/entry.ts'
import { localeOf } from '../ui/texts.ts'
import { VERSION } from '../version.ts'
import type { Payload } from './payload.ts'

/**
 * Makes the payload of an attempt out of what the form says: checks it, encrypts what is marked,
 * adds what the service wants to know beside (`encrypted`, `merchant_id`, `locale`,
 * `mondido_attempt`, `mondido_v`).
 * @throws Fault of the categories integration, validation and crypto
 */
export function prepare({ id, mounted, settings }: Attempt, snapshot: Snapshot): Payload {
  if (settings.wrong[0]) throw new Fault('config.option_invalid', { facts: settings.wrong[0] })
  checkForm(snapshot, settings.type)
  // Pages without types may give a number.
  const merchantId = settings.merchantId && String(settings.merchantId).trim()
  const merchant = chooseMerchant(
    fieldValue(snapshot, 'merchant_id'),
    merchantId,
    mounted.shared.configs,
  )
  const isTest = isTestPayment(snapshot)
  if (!isTest && window.isSecureContext === false) {
    throw new Fault('config.insecure_context')
  }
  const fill = cardTypeFiller(snapshot)
  const encrypted = encryptAll(
    uniqueSecrets(snapshot.secrets.map(fill), isTest),
    settings,
    merchant,
  )
  const url = addressFor(mounted.form, settings, merchant)
  return {
    url,
    statusUrl: statusAddress(url, id, merchant),
    mpiUrl: mpiAddress(settings, snapshot, merchant.config?.mpiUrl),
    isForm: settings.type === 'form',
    keyOf: settings.publicKey ? undefined : merchant.config,
    fields: assemble(snapshot.plain.map(fill), encrypted, [
      ['merchant_id', merchant.id],
      // The service answers in Swedish when nobody says.
      ['locale', localeOf(settings, fieldValue(snapshot, 'locale'))],
      ['mondido_attempt', id],
      ['mondido_v', VERSION],
    ]),
    files: snapshot.files,
  }
}

/**
 * Fills an empty `card_type` with the type the card number shows; the input itself stays empty
 * (observed: page contract).
 */
function cardTypeFiller({ secrets }: Snapshot): (field: Pair | SecretField) => Pair {
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

/** Encrypts one field, naming it when that fails.
 * @throws Fault `field.too_long`, `crypto.unavailable`, `crypto.failed` */
function encryptField(name: string, value: string, key: PublicKey): string {
  try {
    return encryptValue(value, key)
  } catch (thrown) {
    if (thrown instanceof Fault) throw new Fault(thrown.code, { ...thrown.details, field: name })
    throw new Fault('crypto.failed', { facts: { field: name }, field: name, cause: thrown })
  }
}

/**
 * All fields in the order they are sent. `encrypted` lists the encrypted names after those the page
 * itself lists, and is left out when there is none (specification: Create transaction).
 */
function assemble(
  plain: readonly Pair[],
  encrypted: readonly Pair[],
  added: readonly Pair[],
): Pair[] {
  const ours = new Set(['encrypted', ...added.map(([name]) => name)])
  const isTheirs = ([name]: Pair) => !ours.has(name)
  const listed = plain.filter(([name]) => name === 'encrypted').map(([, names]) => names)
  const hidden = encrypted.filter(isTheirs)
  const names = new Set([
    ...listed
      .join(',')
      .split(',')
      .map((name) => name.trim()),
    ...hidden.map(([name]) => name),
  ])
  names.delete('')
  const list: Pair[] = names.size ? [['encrypted', [...names].join(',')]] : []
  return [...plain.filter(isTheirs), ...hidden, ...list, ...added]
}

const DEFAULT_PATH = { ajax: ['apiUrl', '/v1/transactions'], form: ['payUrl', '/v1/form'] } as const

/**
 * Where the payment goes: option, the form's action, the served gateway (observed: page contract).
 */
function addressFor(form: HTMLFormElement, settings: Settings, { config }: Merchant): string {
  const [role, path] = DEFAULT_PATH[settings.type]
  const address =
    settings.url ??
    (form.getAttribute('action')?.replace(/^\s*(?:#\s*)?$/, '') || (config && config[role] + path))
  return httpAddress(address, { facts: { path } })
}

/**
 * The status address that belongs to the address of a payment: at the API, wherever the hosted flow
 * is.
 */
function statusAddress(url: string, attempt: string, { id, config }: Merchant): string | undefined {
  const [, origin] = /^(.*)\/v[12]\/(?:transactions|form)\/?(?:[?#]|$)/.exec(url) || []
  const base = origin && origin === config?.payUrl ? config.apiUrl : origin
  return base && `${base}/v1/attempts/${attempt}?merchant_id=${encodeURIComponent(id)}`
}
