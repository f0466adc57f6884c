import { GatewayError } from '../../domain/errors.ts'

/** Where a field of a form belongs. `metadata[a][b]`: parents metadata and a, key b. `tags[]`: no parents, key tags. */
export interface Path {
  /** Names of the objects around the value, the parameter itself first. */
  readonly parents: readonly string[]
  /** Name of the value, or of the list it is appended to; never empty. */
  readonly key: string
  /** Whether the name ends in `[]`. */
  readonly append: boolean
}

/** One `["key"]`, `['key']`, `[key]` or `[]`. */
const STEP = /\[(?:"([^"]+)"|'([^']+)'|((?!["'])[^[\]]*))\]/y

const NO_PARENTS: readonly string[] = []

/**
 * Reads the decoded name of a form field, written the way PHP writes nesting. Quotes around a key are not part of it
 * (specification: Metadata), and protect brackets in it. `[]` may only come last: in the middle, servers disagree
 * about what belongs together.
 * @param depth how many levels of lists and objects one parameter may nest
 * @throws GatewayError errors.metadata.invalid when the name of a metadata field is malformed;
 *   errors.request.bad_format when another is, or when it nests too deep
 */
export function parsePath(name: string, depth: number): Path {
  const open = name.search(/[[\]]/)
  const root = open < 0 ? name : name.slice(0, open)
  if (root === '') throw malformed(root)
  if (open < 0) return { parents: NO_PARENTS, key: name, append: false }
  const keys = parseSteps(name, open, depth)
  if (keys === undefined) throw malformed(root)
  const append = keys.at(-1) === ''
  if (append) keys.pop()
  return { parents: [root, ...keys].slice(0, -1), key: keys.at(-1) ?? root, append }
}

/** The keys in brackets, where `[]` gives an empty one; undefined when the brackets do not fit together. */
function parseSteps(name: string, start: number, depth: number): string[] | undefined {
  const keys: string[] = []
  for (let at = start; at < name.length; at = STEP.lastIndex) {
    if (keys.length === depth) throw tooDeep(depth)
    STEP.lastIndex = at
    const step = STEP.exec(name)
    if (step === null || keys.at(-1) === '') return undefined
    keys.push(step[1] ?? step[2] ?? step[3] ?? '')
  }
  return keys
}

function malformed(root: string): GatewayError {
  return new GatewayError(root === 'metadata' ? 'errors.metadata.invalid' : 'errors.request.bad_format', {
    explain: 'A parameter is named like name, name[key], name["key"] or name[], with every bracket and quote closed',
  })
}

function tooDeep(depth: number): GatewayError {
  return new GatewayError('errors.request.bad_format', {
    explain: `A parameter nests more than ${depth} levels of brackets`,
  })
}
