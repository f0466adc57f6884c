import type { Item } from '../contract/wire.ts'
import { GatewayError } from '../domain/errors/errors.ts'
import { isObject } from '../domain/json.ts'
import { checkItems } from '../domain/order/items.ts'
import { type CallParameters, list } from './parameters/parameters.ts'

/**
 * Reads the items under a name, in any spelling of a list; undefined when none were sent. They are
 * kept as sent, further keys included.
 * @param how.complete when there are any, every required field of each must be there
 * @throws errors.items.not_array, and what `checkItems` throws
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
