import { badFormat, GatewayError } from '../../domain/errors/errors.ts'
import { type JsonObject, nameForExplain } from '../../domain/json.ts'
import { FLAG_FIELDS } from './parameters.ts'

type Branch = string | null | Branch[] | Tree

/** Form parameters during parsing; without a prototype, every key is their own. */
interface Tree {
  [key: string]: Branch
}

export function createTree(): Tree {
  return Object.create(null)
}

/**
 * Sets one form field at its path. A list of objects is read as in Rack: a key goes into the last
 * element if that one does not have it yet, and otherwise into a new element.
 * @param value null for a field without `=`
 * @throws GatewayError errors.request.bad_format if there is another value already, because neither
 *   may be chosen silently, unless it is a flag; or if one name is used both for a value and for a
 *   container
 */
export function insert(tree: Tree, path: Path, value: string | null): void {
  const [parameter] = path
  // A check box is sent after its hidden field, and replaces its value.
  const overrules = path.length === 1 && FLAGS.has(parameter) && isLeaf(tree[parameter])
  if (overrules) tree[parameter] = value
  else if (!put(tree, path, value)) throw createConflictError(path)
}

/**
 * Returns the parameters when every field is set. Inside a parameter, an object with the keys 0, 1,
 * 2 and so on is a list, as PHP writes lists; the call decides how to read the parameter itself.
 */
export function toParameters(tree: Tree): JsonObject {
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

/** Returns false if the place is taken. */
function put(tree: Tree, [key = '', ...rest]: readonly string[], value: string | null): boolean {
  const child = tree[key]
  if (rest.length === 0) {
    tree[key] = value
    return child === undefined || child === value
  }
  const [next, ...inner] = rest
  const parent = child === undefined ? (next === APPEND ? [] : createTree()) : child
  tree[key] = parent
  if (next === APPEND) return Array.isArray(parent) && append(parent, inner, value)
  return isTree(parent) && put(parent, rest, value)
}

/**
 * Adds to a list: a value if no keys follow, otherwise a key of its last element or of a new one.
 */
function append(list: Branch[], keys: readonly string[], value: string | null): boolean {
  if (keys.length === 0) {
    list.push(value)
    return true
  }
  const last = list.at(-1)
  if (isTree(last) && !has(last, keys)) return put(last, keys, value)
  const element = createTree()
  list.push(element)
  return put(element, keys, value)
}

/** Returns true if the place is taken; a list always has room for another element. */
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

function createConflictError([parameter]: Path): GatewayError {
  return badFormat(
    `${nameForExplain(parameter)} is sent with two values, or both with and without brackets. Send it once.`,
  )
}

/**
 * Path of a form field: the name of the parameter, then a key for each bracket, which is `APPEND`
 * for `[]`. `metadata[a][b]` is metadata, a, b.
 */
type Path = readonly [parameter: string, ...keys: string[]]

/** Key of a new list element. No other key is empty. */
const APPEND = ''

/** One `["key"]`, `['key']`, `[key]` or `[]`. */
const STEP = /\[(?:"([^"]+)"|'([^']+)'|((?!["'])[^[\]]*))\]/y

/**
 * Parses the decoded name of a form field, with nesting as in PHP and Rack. Quotes around a key are
 * not part of it (specification: Metadata), and protect brackets in it. A name with unbalanced
 * brackets is an unknown parameter (observed: 2.3); in metadata, which has no unknown names, it is
 * rejected.
 * @param depth maximum depth of lists and objects in one parameter
 * @throws GatewayError errors.metadata.invalid if the name of a metadata field is malformed;
 *   errors.request.bad_format if a name is nested too deeply, or would be with balanced brackets
 */
export function parsePath(name: string, depth: number): Path {
  const open = name.search(/[[\]]/)
  if (open < 0) return [name]
  const parameter = name.slice(0, open)
  const keys = parameter === '' ? undefined : parseKeys(name, open, depth)
  if (keys) return [parameter, ...keys]
  if (parameter === 'metadata') throw createMalformedNameError()
  if (name.split('[', depth + 2).length > depth + 1) throw createDepthError(depth)
  return [name]
}

/**
 * Returns the keys in brackets; undefined if the brackets are unbalanced, or a list is directly in
 * a list.
 */
function parseKeys(name: string, start: number, depth: number): string[] | undefined {
  const keys: string[] = []
  for (let at = start; at < name.length; at = STEP.lastIndex) {
    if (keys.length === depth) throw createDepthError(depth)
    STEP.lastIndex = at
    const step = STEP.exec(name)
    if (step === null) return undefined
    const key = step[1] ?? step[2] ?? step[3] ?? APPEND
    // Servers disagree about which inner list an element belongs to.
    if (key === APPEND && keys.at(-1) === APPEND) return undefined
    keys.push(key)
  }
  return keys
}

function createMalformedNameError(): GatewayError {
  return new GatewayError('errors.metadata.invalid', {
    explain:
      'A metadata parameter must be named metadata[key], metadata["key"] or metadata[], with every bracket and quote closed.',
  })
}

function createDepthError(depth: number): GatewayError {
  return badFormat(`A parameter may have at most ${depth} nested levels of brackets.`)
}
