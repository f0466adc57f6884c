import type { Item } from '../contract/wire.ts'
import { GatewayError } from '../domain/errors/errors.ts'
import { isObject } from '../domain/json.ts'
import { checkItems } from '../domain/order/items.ts'
import { type CallParameters, list } from './parameters/parameters.ts'

/**
 * Reads the items in a parameter, in any spelling of a list; undefined if none were sent. They are
 * stored as sent, with unknown keys.
 * @param how.complete requires every required field of each item
 * @throws errors.items.not_array, and the errors of `checkItems`
 */
export function readItems<Name extends string>(
  sent: CallParameters<NoInfer<Name>>,
  name: Name,
  { complete = false }: { readonly complete?: boolean } = {},
): readonly Item[] | undefined {
  const listed = list(sent, name, 'errors.items.not_array')
  if (listed === undefined) return undefined
  const items = listed.filter(isObject)
  if (items.length < listed.length)
    throw new GatewayError('errors.items.not_array', {
      explain: 'items must be a list of objects.',
    })
  return checkItems(items, { required: complete && items.length > 0 })
}
