import { hasControlCharacters, isLongerThan } from '../characters.ts'
import { GatewayError } from '../errors/errors.ts'

/** The two addresses that a payer is sent back to. */
export type ReturnUrl = 'success_url' | 'error_url'

/** Maximum length of an address, in characters (our decision). */
const URL_LENGTH = 2000

/** Output and tags of a Liquid template. */
const LIQUID = /\{\{(?:[^{}]|\{(?!\{)|\}(?!\}))*\}\}|\{%(?:[^{%]|\{(?!%)|%(?!\}))*%\}/g

/** Scheme with colon, then the authority up to the first `/`, `?` or `#`. */
const WEB_ADDRESS = /^https?:\/\/([^/?#]+)/i

/**
 * Host names and addresses. URLs allow more characters, such as `;`, which have a meaning in
 * headers.
 */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/i

/**
 * Checks an address that the payer is sent back to. Liquid is accepted in path, query and fragment,
 * unrendered; check the rendered address again before using it.
 * @param own addresses of the gateway itself, such as `http://localhost:4400/v1/form`; they and all
 *   paths below them are reserved
 * @returns the text as it was sent
 * @throws errors.success_url.not_valid_uri / errors.error_url.not_valid_uri (not an absolute
 *   address, line breaks, NUL, backslashes), `.forbidden_uri` (not http or https, user name inside,
 *   control characters, over 2,000 characters, Liquid in scheme or host), `.reserved` (the
 *   gateway's own)
 */
export function checkReturnUrl(
  text: string,
  which: ReturnUrl,
  { own }: { own: readonly string[] },
): string {
  const refuse = (problem: 'not_valid_uri' | 'forbidden_uri' | 'reserved', rule: string) =>
    new GatewayError(`errors.${which}.${problem}`, { explain: `${which} ${rule}.` })

  if (/[\r\n\0\\]/.test(text))
    throw refuse('not_valid_uri', 'contains a line break, NUL or a backslash')
  if (isLongerThan(text, URL_LENGTH))
    throw refuse('forbidden_uri', `is longer than ${URL_LENGTH} characters`)
  if (hasControlCharacters(text)) throw refuse('forbidden_uri', 'contains control characters')
  if (/^[^:/?#]*\{[{%]/.test(text))
    throw refuse('forbidden_uri', 'must start with a literal http:// or https://')

  const plain = text.replace(LIQUID, 'liquid')
  if (!/^[a-z][a-z0-9+.-]*:/i.test(plain))
    throw refuse('not_valid_uri', 'must be absolute: https://shop.example/paid')
  if (!/^https?:/i.test(plain)) throw refuse('forbidden_uri', 'must start with http:// or https://')
  const authority = WEB_ADDRESS.exec(text)?.[1] ?? ''
  if (authority.includes('{'))
    throw refuse('forbidden_uri', 'must have a literal host, without Liquid')
  const url = URL.parse(plain)
  if (url === null || authority === '' || !HOST.test(url.hostname))
    throw refuse('not_valid_uri', 'is not an address with a valid host')
  if (authority.includes('@'))
    throw refuse('forbidden_uri', 'must not contain a user name or password')
  if (own.some((address) => isAtOrBelow(url, new URL(address)))) {
    throw refuse('reserved', 'is an address of the payment service itself')
  }
  return text
}

/**
 * Names of this machine as `URL` writes them; 0.0.0.0 and [::] also reach it (RFC 6761, 6.3; RFC
 * 1122, 3.2.1.3).
 */
const THIS_MACHINE =
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f[0-9a-f]{2}:[0-9a-f]+|0:0)\])$/

/** @param hostname as `URL` writes it */
export const isThisMachine = (hostname: string): boolean => THIS_MACHINE.test(hostname)

function isAtOrBelow(url: URL, own: URL): boolean {
  const host = ({ hostname, port }: URL) =>
    [hostname.replace(/\.$/, '').replace(THIS_MACHINE, 'localhost'), port].join(':')
  // The gateway's routes ignore case and doubled or final slashes, so this comparison does too.
  const path = ({ pathname }: URL) =>
    `${decodePath(pathname).toLowerCase().replace(/\/+/g, '/')}/`.replace(/\/\/$/, '/')
  return host(url) === host(own) && path(url).startsWith(path(own))
}

/** Decodes the ASCII escapes of a path, as a server or proxy might. */
const decodePath = (path: string) =>
  path.replace(/%([2-7][0-9a-f])/gi, (_escape, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )

/**
 * Builds the redirect address: appends parameters to the query (observed: 9). The address itself
 * stays as it is, except that its host is written in ASCII, and blanks and non-ASCII characters are
 * percent-encoded for the header.
 * @param url an address that passed `checkReturnUrl`, without Liquid
 * @param parameters values as plain text, in this order; undefined ones are left out
 */
export function redirectUrl(
  url: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const end = url.includes('#') ? url.indexOf('#') : url.length
  const address = url.slice(0, end)
  const added = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encode(name)}=${encode(value)}`],
  )
  const query = address.indexOf('?')
  const isOpen = query === address.length - 1 || address.endsWith('&')
  const joint = query === -1 ? '?' : isOpen ? '' : '&'
  const appended = added.length === 0 ? '' : joint + added.join('&')
  return encodeForHeader(withAsciiHost(address)) + appended + encodeForHeader(url.slice(end))
}

/** A header contains the ASCII form of an internationalized host (RFC 5890, section 2.3.2.1). */
const withAsciiHost = (address: string): string =>
  address.replace(/^https?:\/\/[^/?#]*[^\x21-\x7e][^/?#]*/i, (written) => {
    const url = URL.parse(written)
    return url ? `${url.protocol}//${url.host}` : written
  })

const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

const encodeForHeader = (text: string): string => text.replace(/[^\x21-\x7e]+/g, encode)
