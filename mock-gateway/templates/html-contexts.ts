/**
 * Places in a page at which a value is printed. The place decides how the value is escaped:
 * - `text`: between tags, and within quotes of an attribute
 * - `bare`: an attribute without quotes
 * - `url`: the start of an address, for example of a link
 * - `source`: the address of a script, which can only be one of our addresses or the merchant's own
 *   text
 * - `script`: within quotes of a script, as far as that is known; `value`: where a script expects a
 *   value
 * - `style`: a style sheet; `nowhere`: where no value can be written safely
 * - `part`: within a payer's return address, in which every part is percent-encoded
 */
const HTML_CONTEXTS = [
  'text',
  'bare',
  'url',
  'source',
  'script',
  'value',
  'style',
  'nowhere',
  'part',
] as const

export type HtmlContext = (typeof HTML_CONTEXTS)[number]

/** Attributes that hold an address. */
const ADDRESSES = /^(?:href|src|action|formaction|data|poster|background|cite|ping|xlink:href)$/

/** Elements whose content is text up to their end tag. */
const RAW_TEXT = /^(?:script|style|textarea|title)$/

/**
 * Types of scripts that run, or that scripts read as data. Other scripts contain HTML for later.
 */
const SCRIPT_TYPE = /^$|javascript|ecmascript|module|json|importmap/i

type State =
  | { readonly in: 'text' | 'comment' | 'tag' }
  | { readonly in: 'name' }
  | { readonly in: 'raw'; readonly element: string }
  | { readonly in: 'value'; readonly quote: string }

/**
 * Reads the HTML of a template from its first character on, and tracks the context at each point.
 */
export class HtmlReader {
  #state: State = { in: 'text' }
  #element = ''
  #attribute = ''
  #value = ''
  /** The script so far. */
  #raw = ''
  #scriptType = ''

  /** Continues reading. Liquid's output is represented by a letter, see `pass`. */
  read(text: string): void {
    let at = 0
    while (at < text.length) at = this.#step(text, at)
  }

  /** Records that a value was printed at this point. */
  pass(): void {
    this.read('x')
  }

  /** True if an element can start here. */
  get isBetweenTags(): boolean {
    return this.#state.in === 'text'
  }

  place(): HtmlContext {
    const state = this.#state
    switch (state.in) {
      case 'text':
      case 'comment':
        return 'text'
      case 'raw':
        return this.#placeInRawText(state.element)
      case 'value':
        return this.#placeInValue(state.quote)
      default:
        return 'nowhere'
    }
  }

  #placeInRawText(element: string): HtmlContext {
    if (element === 'style') return 'style'
    if (element !== 'script' || !SCRIPT_TYPE.test(this.#scriptType)) return 'text'
    return expectsValue(this.#raw) ? 'value' : 'script'
  }

  #placeInValue(quote: string): HtmlContext {
    const attribute = this.#attribute
    if (attribute.startsWith('on')) return 'script'
    if (attribute === 'style') return 'style'
    if (attribute === 'srcdoc' || attribute === 'nonce') return 'nowhere'
    if (attribute === 'src' && this.#element === 'script')
      return /^\s*(?:https?:)?\/\/[^/]+\/|^\s*\/[^/]/i.test(this.#value) ? 'text' : 'source'
    const address = ADDRESSES.test(attribute) ? this.#value.trim() : undefined
    if (address === '') return 'url'
    if (address?.toLowerCase().startsWith('javascript:')) return 'script'
    return quote === '' ? 'bare' : 'text'
  }

  /** @returns the position to continue from */
  #step(text: string, at: number): number {
    const state = this.#state
    switch (state.in) {
      case 'text':
        return this.#readText(text, at)
      case 'comment':
        return this.#skipTo(text, at, '-->', { in: 'text' })
      case 'raw':
        return this.#readRawText(text, at, state.element)
      case 'name':
      case 'tag':
        return this.#readTag(text, at)
      case 'value':
        return this.#readValue(text, at, state.quote)
    }
  }

  #skipTo(text: string, at: number, end: string, next: State): number {
    const found = text.indexOf(end, at)
    if (found === -1) return text.length
    this.#state = next
    return found + end.length
  }

  #readText(text: string, at: number): number {
    const found = text.indexOf('<', at)
    if (found === -1) return text.length
    const rest = text.slice(found, found + 80)
    const name = /^<\/?([a-z][^\s/>]*)/i.exec(rest)
    if (rest.startsWith('<!--')) {
      this.#state = { in: 'comment' }
      return found + 4
    }
    if (name === null) return found + 1
    this.#element = rest.startsWith('</') ? '' : (name[1] ?? '').toLowerCase()
    this.#scriptType = ''
    this.#attribute = ''
    this.#state = { in: 'tag' }
    return found + name[0].length
  }

  #readRawText(text: string, at: number, element: string): number {
    const end = new RegExp(`</${element}(?=[\\s/>]|$)`, 'gi')
    end.lastIndex = at
    const found = end.exec(text)
    this.#raw += text.slice(at, found?.index)
    if (found === null) return text.length
    this.#element = ''
    this.#state = { in: 'tag' }
    return found.index + found[0].length
  }

  #readTag(text: string, at: number): number {
    const sign = text[at] ?? ''
    if (sign === '>') {
      this.#raw = ''
      this.#state = RAW_TEXT.test(this.#element)
        ? { in: 'raw', element: this.#element }
        : { in: 'text' }
      return at + 1
    }
    if (sign === '=' && this.#attribute !== '') {
      const [all, quote = ''] = /^=\s*(["']?)/.exec(text.slice(at, at + 200)) ?? ['=']
      this.#value = ''
      this.#state = { in: 'value', quote }
      return at + all.length
    }
    if (/[\s/]/.test(sign)) {
      if (this.#state.in === 'name') this.#state = { in: 'tag' }
      return at + 1
    }
    this.#attribute = (this.#state.in === 'name' ? this.#attribute : '') + sign.toLowerCase()
    this.#state = { in: 'name' }
    return at + 1
  }

  #readValue(text: string, at: number, quote: string): number {
    const end = quote === '' ? /[\s>]/g : new RegExp(quote, 'g')
    end.lastIndex = at
    const found = end.exec(text)
    this.#value += text.slice(at, found?.index)
    if (this.#element === 'script' && this.#attribute === 'type')
      this.#scriptType = this.#value.trim()
    if (found === null) return text.length
    this.#attribute = ''
    this.#state = { in: 'tag' }
    return found.index + quote.length
  }
}

/**
 * Returns true if a script that has been read so far expects a value next, as after `var order = `.
 * The answer is false inside a quotation, as far as this is visible without parsing the script, and
 * after a character that no value can follow.
 */
function expectsValue(script: string): boolean {
  const line = script.slice(script.lastIndexOf('\n') + 1)
  let quote = ''
  for (const [sign] of line.matchAll(/\\.|["'`]/g)) {
    if (quote === '' && sign.length === 1) quote = sign
    else if (sign === quote) quote = ''
  }
  return quote === '' && /(?:^|[=([,:?&|{}>;]|\breturn)\s*$/.test(script.slice(-40))
}
