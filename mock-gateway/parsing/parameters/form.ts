import type { JsonObject } from '../../domain/json.ts'
import { percentDecode } from './encoding.ts'
import { type Limits, rejectTooMany } from './limits.ts'
import { parsePath } from './path.ts'
import { emptyTree, insert, parametersOf } from './tree.ts'

/**
 * Reads `application/x-www-form-urlencoded` text, from a query or a body. A name without `=` is
 * null; empty pieces between `&` are skipped.
 * @throws GatewayError errors.encoding.invalid, errors.request.bad_format, errors.metadata.invalid:
 *   see `percentDecode`, `parsePath` and `insert`
 */
export function readForm(text: string, limits: Limits): JsonObject {
  const tree = emptyTree()
  const fields = text.split('&', limits.parameters + 1)
  rejectTooMany(fields.length, limits)
  let nests = false
  for (const field of fields) {
    if (field === '') continue
    const equals = field.indexOf('=')
    const name = percentDecode(equals < 0 ? field : field.slice(0, equals))
    const value = equals < 0 ? null : percentDecode(field.slice(equals + 1))
    const path = parsePath(name, limits.depth)
    insert(tree, path, value)
    nests ||= path.length > 1
  }
  return nests ? parametersOf(tree) : tree
}
