import { GatewayError } from '../../domain/errors/errors.ts'

/**
 * Path of a form field: the name of the parameter, then a key for each bracket, which is `APPEND`
 * for `[]`. `metadata[a][b]` is metadata, a, b.
 */
export type Path = readonly [parameter: string, ...keys: string[]]

/** Key of a new list element. No other key is empty. */
export const APPEND = ''

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
  if (name.split('[', depth + 2).length > depth + 1) throw tooDeep(depth)
  return [name]
}

/**
 * Returns the keys in brackets; undefined if the brackets are unbalanced, or a list is directly in
 * a list.
 */
function parseKeys(name: string, start: number, depth: number): string[] | undefined {
  const keys: string[] = []
  for (let at = start; at < name.length; at = STEP.lastIndex) {
    if (keys.length === depth) throw tooDeep(depth)
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

function tooDeep(depth: number): GatewayError {
  return new GatewayError('errors.request.bad_format', {
    explain: `A parameter may have at most ${depth} nested levels of brackets.`,
  })
}
