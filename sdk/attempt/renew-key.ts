import { parseJson } from '../json.ts'
import type { Scope } from '../scope.ts'
import type { ServedConfig, Timeouts } from '../types.ts'
import { exchange } from './exchange.ts'

/**
 * Reads the first line of the served script again: the merchant may have a new key.
 * @returns true if the key is new, and stored in the configuration; undefined if the script could
 *   not be read
 */
export async function renewKey(
  config: ServedConfig,
  { status: timeout }: Timeouts,
  scope: Scope,
): Promise<boolean | undefined> {
  const url = `${config.cdnUrl}/v2/mondido.js?merchant_id=${config.merchantId}`
  const { text } = await exchange({ url, timeout }, scope)
  // The script begins with the line that contains the configuration.
  const [line = ''] = text.split('\n')
  const { publicKey } = Object(parseJson(line.slice(line.indexOf('{'), line.lastIndexOf('}') + 1)))
  if (typeof publicKey !== 'string') return undefined
  if (publicKey === config.publicKey) return false
  config.publicKey = publicKey
  return true
}
