/** A token of a template's source. */
export interface Token {
  readonly kind: 'text' | 'output' | 'tag' | 'raw' | 'comment'
  /** As it was written, delimiters and all. */
  readonly written: string
  /** Between the delimiters, without the marks that trim; all of a text. */
  readonly inside: string
  /** The line on which it begins; the first is 1. */
  readonly line: number
}

/**
 * An output, also one with braces too many before it, or a tag; each ends at the first closing
 * delimiter.
 */
const LIQUID =
  /(?<!\{)\{\{(?<more>\{*)(?<output>(?:[^{}]|\}(?!\})|\{(?![{%]))*)\}\}|\{%(?<tag>(?:[^%{]|%(?!\})|\{(?!%))*)%\}/g

/** Tags whose contents are not parsed as Liquid. */
const VERBATIM = {
  raw: /\{%-?\s*endraw\s*-?%\}/g,
  comment: /\{%-?\s*endcomment\s*-?%\}/g,
} as const

/**
 * Splits any source into tokens. An unclosed delimiter is text. The joined tokens equal the source.
 */
export function splitIntoTokens(source: string): Token[] {
  const tokens: Token[] = []
  let line = 1
  let at = 0
  const push = (kind: Token['kind'], end: number, inside = source.slice(at, end)) => {
    const written = source.slice(at, end)
    if (written !== '') tokens.push({ kind, written, inside, line })
    line += written.split('\n').length - 1
    at = end
  }
  // If one has no end here, it has none later either: searching again after each tag would take
  // time with the square of the length.
  const endless = new Set<keyof typeof VERBATIM>()
  const findEnd = (name: keyof typeof VERBATIM, from: number) => {
    const close = endless.has(name) ? null : findFrom(VERBATIM[name], source, from)
    if (!close) endless.add(name)
    return close
  }
  for (let found = findFrom(LIQUID, source, at); found; found = findFrom(LIQUID, source, at)) {
    const { more = '', output, tag = '' } = found.groups ?? {}
    // Braces too many behind it are those before it; others belong to a style or a script.
    const surplus =
      more !== '' && source.startsWith(more.replaceAll('{', '}'), found.index + found[0].length)
    const end = found.index + found[0].length + (surplus ? more.length : 0)
    push('text', found.index)
    const name = trimmed(tag)
    const close = name === 'raw' || name === 'comment' ? findEnd(name, end) : null
    if (close) push(name as 'raw', close.index + close[0].length, source.slice(end, close.index))
    else push(output === undefined ? 'tag' : 'output', end, trimmed(output ?? tag))
  }
  push('text', source.length)
  return tokens
}

/** Returns the name of a tag, for example `for` in `for item in items`. */
export const tagName = (inside: string): string => /^\w+/.exec(inside)?.[0] ?? ''

function findFrom(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

const trimmed = (inside: string): string => inside.replace(/^-|-$/g, '').trim()
