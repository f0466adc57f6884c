import { GatewayError } from '../../domain/errors/errors.ts'
import { type JsonObject, nameForExplain } from '../../domain/json.ts'
import { FLAG_FIELDS } from './parameters.ts'
import { APPEND, type Path } from './path.ts'

type Branch = string | null | Branch[] | Tree

/**
 * Parameters of a form while they are being put together; without a prototype, every key is their
 * own.
 */
export interface Tree {
  [key: string]: Branch
}

/** A tree without parameters. */
export function emptyTree(): Tree {
  return Object.create(null)
}

/**
 * Puts one field of a form where its path points. A list of objects is read as Rack does: a key
 * goes into the last element while that one does not have it yet, and otherwise into a new element.
 * @param value null when the field came without `=`
 * @throws GatewayError errors.request.bad_format when another value is there, because of two
 *   neither may be chosen silently, unless it is a flag; or when one name is used both for a value
 *   and for what contains values
 */
export function insert(tree: Tree, path: Path, value: string | null): void {
  const [parameter] = path
  // The hidden field of a check box comes first, and the box overrules it.
  const overrules = path.length === 1 && FLAGS.has(parameter) && isLeaf(tree[parameter])
  if (overrules) tree[parameter] = value
  else if (!put(tree, path, value)) throw conflict(path)
}

/**
 * The parameters, once every field is in its place. Inside of one an object whose keys are 0, 1, 2
 * and so on is a list, as PHP writes lists; the parameter itself is whatever its call reads it as.
 */
export function parametersOf(tree: Tree): JsonObject {
  for (const parameter of Object.values(tree)) listInside(parameter)
  return tree
}

function listInside(branch: Branch): void {
  if (typeof branch !== 'object' || branch === null) return
  for (const [key, child] of Object.entries(branch)) {
    listInside(child)
    if (isTree(child) && Object.keys(child).every(isIndex))
      (branch as Tree)[key] = Object.values(child)
  }
}

const isIndex = (key: string, index: number): boolean => key === String(index)

/** False when the place is taken by something else. */
function put(tree: Tree, [key = '', ...rest]: readonly string[], value: string | null): boolean {
  const child = tree[key]
  if (rest.length === 0) {
    tree[key] = value
    return child === undefined || child === value
  }
  const [next, ...inner] = rest
  const parent = child === undefined ? (next === APPEND ? [] : emptyTree()) : child
  tree[key] = parent
  if (next === APPEND) return Array.isArray(parent) && append(parent, inner, value)
  return isTree(parent) && put(parent, rest, value)
}

/** Adds to a list: a value when no keys follow, else a key to its last element or to a new one. */
function append(list: Branch[], keys: readonly string[], value: string | null): boolean {
  if (keys.length === 0) {
    list.push(value)
    return true
  }
  const last = list.at(-1)
  if (isTree(last) && !has(last, keys)) return put(last, keys, value)
  const element = emptyTree()
  list.push(element)
  return put(element, keys, value)
}

/**
 * Whether something is at this place already; there always is room for one more element of a list.
 */
function has(tree: Tree, keys: readonly string[]): boolean {
  let branch: Branch | undefined = tree
  for (const key of keys) branch = isTree(branch) ? branch[key] : undefined
  return branch !== undefined
}

const FLAGS: ReadonlySet<string> = new Set(FLAG_FIELDS)

const isLeaf = (branch: Branch | undefined): boolean =>
  typeof branch !== 'object' || branch === null

const isTree = (branch: Branch | undefined): branch is Tree =>
  typeof branch === 'object' && branch !== null && !Array.isArray(branch)

function conflict([parameter]: Path): GatewayError {
  return new GatewayError('errors.request.bad_format', {
    explain: `${nameForExplain(parameter)} is sent with two values, or both with and without brackets; send it once`,
  })
}
