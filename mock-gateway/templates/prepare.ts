import type { LiquidError } from 'liquidjs'
import { timers } from '../domain/timers.ts'
import type { TemplateKind } from '../storage/tables/templates.ts'
import { createLiquid, WRITE } from './engine.ts'
import { type HtmlContext, HtmlReader } from './html-contexts.ts'
import type { TemplateProblem } from './problems.ts'
import { splitIntoTokens, type Token, tagName } from './tokens.ts'

/** A template that Liquid accepts, with its original lines, and the necessary changes. */
export interface PreparedTemplate {
  readonly prepared: string
  readonly problems: readonly TemplateProblem[]
}

/** Maximum number of unreadable tokens that are left out. */
const MOST_MISTAKES = 100

/**
 * Turns any source into a template that Liquid accepts: it leaves out each output and tag that
 * Liquid cannot read (observed: 11.3, parser demands). Each output gets its place in the page. The
 * scripts and styles of a page get the nonce of the answer, and forms without an action get the
 * address of the payment. Values printed later cannot get a nonce, because elements are not
 * searched then.
 * @param kind each output of an address is a part of it
 */
export async function prepare(
  source: string,
  kind: TemplateKind | 'address',
): Promise<PreparedTemplate> {
  const tokens = splitIntoTokens(source)
  const writer = new TemplateWriter(source, kind)
  const written = tokens.map((token) => keepLineBreaks(token, writer.write(token)))
  const { problems } = writer
  for (let mistakes = 0; mistakes < MOST_MISTAKES; mistakes += 1) {
    const { at, reason } = findMistake(written) ?? {}
    const token = tokens[at ?? -1]
    if (at === undefined || !token) break
    problems.push(leftOut(token, reason ?? ''))
    written[at] = keepLineBreaks(token, '')
    await timers.nextTurn()
  }
  return { prepared: written.join(''), problems }
}

/** Finds the first token that Liquid rejects, with its reason. */
function findMistake(written: readonly string[]): { at: number; reason: string } | undefined {
  try {
    createLiquid().parse(written.join(''))
    return undefined
  } catch (error) {
    const { token, message } = error as LiquidError
    let left = token?.begin ?? Number.POSITIVE_INFINITY
    const at = written.findIndex((text) => {
      left -= text.length
      return left < 0
    })
    return { at, reason: message.replace(/, line:.*/s, '') }
  }
}

const leftOut = ({ kind, inside, line }: Token, reason: string): TemplateProblem => ({
  line,
  message: `The page leaves out ${kind === 'tag' ? `{% ${inside} %}` : `{{ ${inside} }}`}: ${reason}`,
})

/** Replaces a token on the same number of lines, so that later errors name the right line. */
function keepLineBreaks({ written }: Token, instead: string): string {
  const missing = written.split('\n').length - instead.split('\n').length
  return missing > 0 ? `${instead}{% comment %}${'\n'.repeat(missing)}{% endcomment %}` : instead
}

/** Tags that include another template, whose output is written as between tags. */
const BRING = /^(?:include|render|layout|block)$/

/**
 * Parts of a text: the start of an element that browsers take only with a nonce, of a form and of
 * the head; delimiters of Liquid without their counterpart.
 */
const IN_TEXT =
  /<(?<name>script|style|link|form|head)(?=[\s>/])|(?<opening>\{[{%])|(?<closing>[}%]\})/gi

const OTHER: Readonly<Record<string, string>> = { '{{': '}}', '{%': '%}', '}}': '{{', '%}': '{%' }

const NONCE = ` nonce="{{ csp_nonce | ${WRITE}: "text" }}"`

/** Gives the scripts of the page their payment data (observed: 11.7). */
const ABOUT = `<script${NONCE}>window.Mondido = {{ mondido | json | ${WRITE}: "value" }}</script>`

/** Writes the tokens of a template one after the other. */
class TemplateWriter {
  readonly problems: TemplateProblem[] = []
  readonly #source: string
  readonly #kind: TemplateKind | 'address'
  readonly #html = new HtmlReader()
  /** Position of the token in the source. */
  #at = 0
  #isTold = false

  constructor(source: string, kind: TemplateKind | 'address') {
    this.#source = source
    this.#kind = kind
  }

  write(token: Token): string {
    const written = this.#write(token)
    this.#at += token.written.length
    return written
  }

  #write(token: Token): string {
    switch (token.kind) {
      case 'output':
        return this.#output(token.inside)
      case 'tag':
        return this.#tag(token)
      case 'comment':
        return ''
      case 'raw':
        this.#html.read(token.inside)
        return token.written
      case 'text':
        return this.#text(token)
    }
  }

  #place(): HtmlContext {
    return this.#kind === 'address' ? 'part' : this.#html.place()
  }

  #output(inside: string): string {
    const expression = inside.replace(/(?<![|\s])[|\s]+$/, '')
    if (expression === '') return ''
    const place = this.#place()
    this.#html.pass()
    return `{{ ${expression} | ${WRITE}: "${place}" }}`
  }

  #tag(token: Token): string {
    const inside = token.inside.replace(/\{\{|\}\}/g, '').trim()
    const name = tagName(inside)
    if (name === 'echo') return this.#output(inside.slice(name.length).trim())
    const isMisplaced = BRING.test(name) && !['text', 'part'].includes(this.#place())
    if (name !== 'raw' && !isMisplaced) return `{% ${inside} %}`
    const reason = isMisplaced
      ? 'a script, style or tag cannot include another template'
      : 'it has no closing tag'
    this.problems.push(leftOut(token, reason))
    return ''
  }

  #text({ written: text, line }: Token): string {
    let result = ''
    let done = 0
    const copyTo = (end: number) => {
      if (end <= done) return
      const part = text.slice(done, end)
      this.#html.read(part)
      result += /\{[{%]/.test(part) ? `{% raw %}${part}{% endraw %}` : part
      done = end
    }
    for (const { 0: part, index, groups } of text.matchAll(IN_TEXT)) {
      if (!groups?.opening) copyTo(index)
      const isBetweenTags = this.#html.isBetweenTags
      // Styles and scripts contain closing braces like these, but no opening ones.
      if (groups?.opening || (groups?.closing && isBetweenTags))
        this.problems.push({
          line: line + text.slice(0, index).split('\n').length - 1,
          message: `${part} appears on the page as text, because it has no matching ${OTHER[part]}`,
        })
      if (!groups?.name || !isBetweenTags || this.#kind !== 'page') continue
      const name = groups.name.toLowerCase()
      if (name === 'script') result += this.#about()
      copyTo(index + part.length)
      if (name === 'form') result += prepareAction(this.#source.slice(this.#at + index))
      else if (name !== 'head') result += NONCE
      else if (text.includes('>', index)) {
        copyTo(text.indexOf('>', index) + 1)
        result += this.#about()
      }
    }
    copyTo(text.length)
    return result
  }

  /** Returns the script with the payment data, once. */
  #about(): string {
    if (this.#isTold) return ''
    this.#isTold = true
    return ABOUT
  }
}

/** Returns the action of a posting form; forms with another address, and with GET, keep theirs. */
function prepareAction(rest: string): string {
  const tag = /^[^>]*/.exec(rest)?.[0] ?? ''
  return posts(tag) && !/\saction\s*=/i.test(tag)
    ? ` action="{{ transaction.href | ${WRITE}: "url" }}"`
    : ''
}

/** Returns true if a form with this tag posts the payer's input. */
export const posts = (tag: string): boolean => /\smethod\s*=\s*["']?post/i.test(tag)
