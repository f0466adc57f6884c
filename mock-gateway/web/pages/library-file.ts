import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Addresses } from '../../domain/addresses.ts'
import type { Merchant } from '../../domain/merchant.ts'

/**
 * Reads the built library. Undefined if it was never built. @throws the system's error if it cannot
 * be read
 */
export const readLibrary = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })

/** Reads the version in the first line of a built file, which is part of its permanent address. */
export const findVersion = (script: string): string =>
  /^\/\*! mondido-js (\S+),/.exec(script)?.[1] ?? 'development'

/** Calculates the value of `integrity` for a script (Subresource Integrity, W3C). */
const calculateIntegrity = (script: string): string =>
  `sha384-${createHash('sha384').update(script).digest('base64')}`

/**
 * Builds the library's tag for one merchant, with the hash of the file: a browser runs the file
 * only if it is unchanged.
 * @param publicKey PEM
 */
export function writeLibraryTag(
  script: string,
  { base, pay, cdn }: Addresses,
  merchant: Merchant,
  publicKey: string,
): string {
  const attributes = {
    src: `${cdn}/v2/mondido-${findVersion(script)}.js`,
    integrity: calculateIntegrity(script),
    crossorigin: 'anonymous',
    'data-merchant-id': String(merchant.id),
    'data-public-key': publicKey.replaceAll(/-----[^-]+-----|\s/g, ''),
    ...(base === cdn ? {} : { 'data-api-url': base }),
    ...(pay === base ? {} : { 'data-pay-url': pay }),
    ...(merchant.settings.three_d_secure === 'off' ? { 'data-three-d-secure': 'off' } : {}),
  }
  const lines = Object.entries(attributes).map(
    ([name, value]) => `${name}="${value.replaceAll('"', '&quot;')}"`,
  )
  return `<script ${lines.join('\n        ')}></script>`
}
