import { type Liquid, type Template, Tokenizer } from 'liquidjs'
import { type HtmlContext, HtmlReader } from './html-contexts.ts'
import { NONCE } from './prepare.ts'
import { type Token, tagName, tokensOf } from './tokens.ts'

/** A problem of a template, for its merchant. */
export interface TemplateProblem {
  /** Null where it is about no line. */
  readonly line: number | null
  readonly message: string
}

/** A template that Liquid accepts, with its original lines, and the necessary changes. */
export interface RepairedTemplate {
  readonly source: string
  readonly problems: readonly TemplateProblem[]
}

/**
 * How a template prints: as a page, by the place of each output; as an address, each output is a
 * part of it.
 */
export type OutputMode = 'page' | 'address'

/** The filter that writes a value for its place in the page; last in every output. */
export const WRITE = '_write'

/** Opening tags of blocks, with replacements for unreadable ones. */
const BLOCKS: Readonly<Record<string, string>> = {
  if: 'if false',
  unless: 'unless true',
  case: 'case false',
  for: 'for _ in _',
  tablerow: 'tablerow _ in _',
  capture: 'capture _',
  block: 'block _',
}

/** Tags that are only allowed in a block, by block. */
const BRANCHES: Readonly<Record<string, readonly string[]>> = {
  else: ['if', 'unless', 'case', 'for'],
  elsif: ['if', 'unless'],
  when: ['case'],
}

/** Tags that include another template, whose output is written as between tags. */
const BRING = /^(?:include|render|layout|block)$/

/** An open block: its written tokens are dropped if it never ends. */
interface OpenBlock {
  readonly name: string
  readonly line: number
  readonly tokens: number[]
}

/**
 * Turns any source into a template that Liquid accepts: it omits unreadable outputs and tags, and
 * the start of a block without an end (observed: 11.3, parser demands). Each output gets its place
 * in the page.
 * @param notice receives each readable output and tag
 */
export function repair(
  liquid: Liquid,
  source: string,
  mode: OutputMode,
  notice?: (line: number, read: Template[]) => void,
): RepairedTemplate {
  const tokens = tokensOf(source)
  const problems: TemplateProblem[] = []
  const written: string[] = []
  const open: OpenBlock[] = []
  const html = new HtmlReader()
  const place = (): HtmlContext => (mode === 'address' ? 'part' : html.place())

  /** Returns Liquid's reason for rejecting it; undefined if it is valid. */
  const whyNot = (line: number, text: string): string | undefined => {
    try {
      const read = liquid.parse(text)
      notice?.(line, read)
      return undefined
    } catch (error) {
      return String((error as Error).message).replace(/, line:.*/s, '')
    }
  }

  const leftOut = (line: number, what: string, reason: string): string => {
    problems.push({ line, message: `The page leaves out ${what}: ${reason}` })
    return ''
  }

  const output = (sent: string, line: number): string => {
    const expression = sent.replace(/(?<![|\s])[|\s]+$/, '')
    if (expression === '') return ''
    const output = `{{ ${expression} | ${WRITE}: "${expression === NONCE ? 'text' : place()}" }}`
    const reason = whyNot(line, output)
    if (reason !== undefined) return leftOut(line, `{{ ${expression} }}`, reason)
    problems.push(...remarks(liquid, expression).map((message) => ({ line, message })))
    html.pass()
    return output
  }

  const tag = (sent: string, line: number): string => {
    const inside = sent.replace(/\{\{|\}\}/g, '').trim()
    const name = tagName(inside)
    const without = (reason: string) => leftOut(line, `{% ${inside} %}`, reason)
    if (name === 'echo') return output(inside.slice(4).trim(), line)
    if (BRING.test(name) && !['text', 'part'].includes(place()))
      return without('a script, style or tag cannot include another template')
    if (name.startsWith('end'))
      return end(name.slice(3)) ?? without('it has no matching opening tag')
    const block = open.at(-1)
    if (BRANCHES[name]) {
      if (!block || !BRANCHES[name].includes(block.name)) return without('it is outside its block')
      block.tokens.push(written.length)
      const reason = whyNot(
        line,
        `{% ${block.name === 'case' ? 'case 1' : BLOCKS[block.name]} %}{% ${inside} %}{% end${block.name} %}`,
      )
      if (reason === undefined) return `{% ${inside} %}`
      without(reason)
      return name === 'when' ? '{% when _ %}' : '{% elsif false %}'
    }
    const instead = BLOCKS[name]
    if (instead) open.push({ name, line, tokens: [written.length] })
    const reason = whyNot(line, instead ? `{% ${inside} %}{% end${name} %}` : `{% ${inside} %}`)
    if (reason === undefined) return `{% ${inside} %}`
    without(reason)
    return instead ? `{% ${instead} %}` : ''
  }

  const end = (name: string): string | undefined => {
    const at = open.findLastIndex((block) => block.name === name)
    if (at === -1) return undefined
    for (const block of open.splice(at).slice(1)) endless(block)
    return `{% end${name} %}`
  }

  const endless = ({ name, line, tokens: begun }: OpenBlock) => {
    leftOut(line, `{% ${name} %}`, 'it has no closing tag')
    for (const at of begun) written[at] = keepLineBreaks(tokens[at]?.written ?? '', '')
  }

  const readable = ({ kind, inside, line, written: whole }: Token): string => {
    if (kind === 'output') return output(inside, line)
    if (kind === 'tag') return tag(inside, line)
    if (kind === 'comment') return ''
    html.read(inside)
    return kind === 'raw' ? whole : verbatim(whole)
  }

  for (const token of tokens) written.push(keepLineBreaks(token.written, readable(token)))
  for (const block of open) endless(block)
  return { source: written.join(''), problems: inOrder(problems) }
}

/** By line. */
export const inOrder = (problems: readonly TemplateProblem[]): TemplateProblem[] =>
  problems.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))

/** Text with unclosed delimiters, escaped so that Liquid reads it as text. */
const verbatim = (text: string): string =>
  /\{[{%]/.test(text) ? `{% raw %}${text}{% endraw %}` : text

/** Replaces a token on the same number of lines, so that later errors name the right line. */
function keepLineBreaks(written: string, instead: string): string {
  const missing = written.split('\n').length - instead.split('\n').length
  return missing > 0 ? `${instead}{% comment %}${'\n'.repeat(missing)}{% endcomment %}` : instead
}

/** Lists remarks for the merchant about a valid output. */
function remarks(liquid: Liquid, expression: string): string[] {
  const { filters } = new Tokenizer(expression).readFilteredValue()
  return filters.flatMap(({ name }) => {
    if (name === 'raw') return ['The filter raw has no effect: output is always escaped']
    return name in liquid.filters ? [] : [`The filter ${name} does not exist, so it has no effect`]
  })
}
