import { join } from 'node:path'
import { styleText } from 'node:util'
import type { Addresses } from '../domain/addresses.ts'
import { requestHash } from '../domain/order/hash.ts'
import { isDefaultMerchant, type MerchantSeed } from '../merchants/seed.ts'
import { CERTIFICATE } from './certificate.ts'
import type { Tls } from './settings.ts'

/** The control API, as the banner shows it. */
export interface Control {
  /** Key of the control API; undefined if the control API is off. */
  readonly key: string | undefined
  /** True if the operator chose the key. */
  readonly isChosen: boolean
}

/**
 * Builds the text at start: the address to open, and below it in grey other addresses, logins, and a
 * call to paste.
 */
export function writeBanner(
  addresses: Addresses,
  merchants: readonly MerchantSeed[],
  database: string,
  tls: Tls | undefined,
  control: Control,
  now: number,
): string {
  const [first] = merchants
  const isDefault = first !== undefined && isDefaultMerchant(first)
  const lines = [
    `  REST API         ${addresses.base}/v1`,
    `  Payment page     ${addresses.pay}/v1/form`,
    `  Browser library  ${addresses.cdn}/v2/mondido.js?merchant_id=${merchants[0]?.id}`,
    `  Console          ${addresses.base}/console  ${describeLogins(merchants, control)}`,
    `  Documentation    ${addresses.base}/docs`,
    ...(control.key === undefined
      ? []
      : [`  Control          ${addresses.base}/_control${formatGeneratedKey(control)}`]),
    `  Data             ${maskPassword(database)}`,
    ...(tls ? [`  Certificate      ${findCertificateFile(tls) ?? 'made for this run'}`] : []),
    ...merchants.map(formatCredentials),
  ]
  if (isDefault) lines.push('', '  Or paste:', '', writeCurl(addresses, first, tls, now))
  const rest = styleText('dim', lines.join('\n'))
  return `\nOpen ${addresses.base}/${isDefault ? ' and press Pay' : ''}\n\n${rest}\n`
}

/** Masks every password in the address of a database; the path of a file stays as it is. */
export function maskPassword(database: string): string {
  const mark = database.includes('://') ? database.search(/\?|$/) : database.length
  const query = new URLSearchParams(database.slice(mark))
  for (const name of new Set(query.keys())) if (/pass/i.test(name)) query.set(name, '***')
  const address = database.slice(0, mark).replace(/^(\w+:\/\/).*@/, '$1***@')
  return query.size === 0 ? address : `${address}?${decodeURIComponent(String(query))}`
}

/** Describes the logins of the console and their keys. */
function describeLogins([first]: readonly MerchantSeed[], { key }: Control): string {
  const known =
    first && isDefaultMerchant(first)
      ? ` ${first.id} with ${first.password}`
      : ' a merchant with its password'
  return `as${known}${key === undefined ? '' : ', or as admin with the control key'}`
}

/** Returns the key only if the gateway generated it; a chosen key is not printed. */
const formatGeneratedKey = ({ key, isChosen }: Control): string =>
  isChosen ? '' : `  X-Control-Key: ${key}`

/** Returns the certificate that clients must trust. */
const findCertificateFile = (tls: Tls): string | undefined =>
  'cert' in tls ? tls.cert : tls.folder && join(tls.folder, CERTIFICATE)

/**
 * Returns curl's option for the certificate. For the operator's own certificate there is none,
 * since curl may know its authority.
 */
function writeTrustFlag(tls: Tls | undefined): string {
  if (!tls || 'cert' in tls) return ''
  const file = findCertificateFile(tls)
  return file ? `--cacert '${file}' ` : '-k '
}

/** Returns the credentials to print; chosen secrets are not printed. */
function formatCredentials(merchant: MerchantSeed): string {
  const shown = isDefaultMerchant(merchant)
    ? `  password ${merchant.password}  secret ${merchant.secret}`
    : ''
  return `  Merchant         ${merchant.id}${shown}`
}

/** A payment that is accepted when pasted; the payment_ref is new at every start. */
function writeCurl(
  { base }: Addresses,
  { id, password, secret }: MerchantSeed,
  tls: Tls | undefined,
  now: number,
): string {
  const order = {
    paymentRef: `try${Math.floor(now / 1000).toString(36)}`,
    amount: '10.00',
    currency: 'sek',
    test: true,
  }
  const hash = requestHash({ merchantId: String(id), customerRef: '', ...order }, secret)
  const fields = {
    amount: order.amount,
    currency: order.currency,
    payment_ref: order.paymentRef,
    test: 'true',
    card_number: '4111111111111111',
    card_holder: 'Kim Berg',
    card_expiry: '1230',
    card_cvv: '200',
    card_type: 'VISA',
    hash,
  }
  const data = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `curl ${writeTrustFlag(tls)}-u ${id}:${password} '${base}/v1/transactions?locale=en' -d '${data.join('&')}'`
}
