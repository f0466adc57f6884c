import { GatewayError } from '../../domain/errors.ts'
import { checkKey, nameForExplain } from '../../domain/parameters/keys.ts'
import type { Path } from './path.ts'

type Branch = string | null | Branch[] | Tree

/** Parameters of a form while they are being put together; the prototype is null. */
export interface Tree {
  [key: string]: Branch
}

/** A tree without parameters. */
export function emptyTree(): Tree {
  return Object.create(null)
}

/**
 * Puts one field of a form where its path points.
 * @param value null when the field came without `=`
 * @throws GatewayError errors.request.bad_format when the place is taken, because of two values neither may be chosen
 *   silently, or when one name is used both for a value and for what contains values; errors.metadata.invalid for a
 *   dangerous key
 */
export function insert(tree: Tree, path: Path, value: string | null): void {
  let parent = tree
  for (const key of path.parents) {
    const child = childOf(parent, key)
    if (child === undefined) throw conflict(path)
    parent = child
  }
  checkKey(path.key)
  const taken = parent[path.key]
  if (taken === undefined) parent[path.key] = path.append ? [value] : value
  else if (path.append && Array.isArray(taken)) taken.push(value)
  else throw conflict(path)
}

/** The object at a key, made when there is none yet; undefined when something else is there. */
function childOf(parent: Tree, key: string): Tree | undefined {
  checkKey(key)
  const child = parent[key]
  if (child === undefined) {
    const made = emptyTree()
    parent[key] = made
    return made
  }
  return typeof child === 'object' && child !== null && !Array.isArray(child) ? child : undefined
}

function conflict(path: Path): GatewayError {
  const name = nameForExplain(path.parents[0] ?? path.key)
  return new GatewayError('errors.request.bad_format', {
    explain: `${name} is sent twice, or both as one value and in brackets; send it once`,
  })
}
