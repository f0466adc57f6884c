/**
 * Place in a page at which a value is printed. The place decides how the value is escaped:
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
export type HtmlContext =
  | 'text'
  | 'bare'
  | 'url'
  | 'source'
  | 'script'
  | 'value'
  | 'style'
  | 'nowhere'
  | 'part'

/** Attributes that hold an address. */
const ADDRESSES = /^(?:href|src|action|formaction|data|poster|background|cite|ping|xlink:href)$/

/** Elements whose content is text up to their end tag. */
const RAW_TEXT = /^(?:script|style|textarea|title)$/

/**
 * Types of scripts that run, or that scripts read as data. Other scripts contain HTML for later.
 */
const SCRIPT_TYPE = /^$|javascript|ecmascript|module|json|importmap/i

/**
 * Reads the HTML of a template from its first character on, and tracks the context at each point.
 */
export class HtmlReader {
  #in: 'text' | 'comment' | 'tag' | 'name' | 'value' | 'raw' = 'text'
  #element = ''
  #attribute = ''
  #quote = ''
  #value = ''
  #scriptType = ''
  #script = new ScriptReader()

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
    return this.#in === 'text'
  }

  place(): HtmlContext {
    if (this.#in === 'text' || this.#in === 'comment') return 'text'
    if (this.#in === 'value') return this.#placeInValue()
    if (this.#in !== 'raw') return 'nowhere'
    if (this.#element === 'style') return 'style'
    if (this.#element !== 'script' || !SCRIPT_TYPE.test(this.#scriptType)) return 'text'
    return this.#script.expectsValue ? 'value' : 'script'
  }

  #placeInValue(): HtmlContext {
    const attribute = this.#attribute
    if (attribute.startsWith('on')) return 'script'
    if (attribute === 'style') return 'style'
    if (attribute === 'srcdoc' || attribute === 'nonce') return 'nowhere'
    if (attribute === 'src' && this.#element === 'script')
      return /^\s*(?:https?:)?\/\/[^/]+\/|^\s*\/[^/]/i.test(this.#value) ? 'text' : 'source'
    const address = ADDRESSES.test(attribute) ? this.#value.trim() : undefined
    if (address === '') return 'url'
    if (address?.toLowerCase().startsWith('javascript:')) return 'script'
    return this.#quote === '' ? 'bare' : 'text'
  }

  /** @returns the position to continue from */
  #step(text: string, at: number): number {
    switch (this.#in) {
      case 'text':
        return this.#readText(text, at)
      case 'comment':
        return this.#readComment(text, at)
      case 'raw':
        return this.#readRawText(text, at)
      case 'value':
        return this.#readValue(text, at)
      default:
        return this.#readTag(text, at)
    }
  }

  #readComment(text: string, at: number): number {
    const found = text.indexOf('-->', at)
    if (found === -1) return text.length
    this.#in = 'text'
    return found + '-->'.length
  }

  #readText(text: string, at: number): number {
    const found = text.indexOf('<', at)
    if (found === -1) return text.length
    const rest = text.slice(found, found + 80)
    const name = /^<\/?([a-z][^\s/>]*)/i.exec(rest)
    if (rest.startsWith('<!--')) {
      this.#in = 'comment'
      return found + 4
    }
    if (name === null) return found + 1
    this.#element = rest.startsWith('</') ? '' : (name[1] ?? '').toLowerCase()
    this.#scriptType = ''
    this.#attribute = ''
    this.#in = 'tag'
    return found + name[0].length
  }

  #readRawText(text: string, at: number): number {
    const end = new RegExp(`</${this.#element}(?=[\\s/>]|$)`, 'gi')
    end.lastIndex = at
    const found = end.exec(text)
    this.#script.read(text.slice(at, found?.index))
    if (found === null) return text.length
    this.#element = ''
    this.#in = 'tag'
    return found.index + found[0].length
  }

  #readTag(text: string, at: number): number {
    const sign = text[at] ?? ''
    if (sign === '>') {
      this.#script = new ScriptReader()
      this.#in = RAW_TEXT.test(this.#element) ? 'raw' : 'text'
      return at + 1
    }
    if (sign === '=' && this.#attribute !== '') {
      const [all, quote = ''] = /^=\s*(["']?)/.exec(text.slice(at, at + 200)) ?? ['=']
      this.#value = ''
      this.#quote = quote
      this.#in = 'value'
      return at + all.length
    }
    const isBlank = /[\s/]/.test(sign)
    if (!isBlank)
      this.#attribute = (this.#in === 'name' ? this.#attribute : '') + sign.toLowerCase()
    this.#in = isBlank ? 'tag' : 'name'
    return at + 1
  }

  #readValue(text: string, at: number): number {
    const end = this.#quote === '' ? /[\s>]/g : new RegExp(this.#quote, 'g')
    end.lastIndex = at
    const found = end.exec(text)
    this.#value += text.slice(at, found?.index)
    if (this.#element === 'script' && this.#attribute === 'type')
      this.#scriptType = this.#value.trim()
    if (found === null) return text.length
    this.#attribute = ''
    this.#in = 'tag'
    return found.index + this.#quote.length
  }
}

/** Reads a script up to a point, as far as this is possible without parsing it. */
class ScriptReader {
  /** The quote that is open on this line. */
  #quote = ''
  /** The text ends in a backslash, so that its next character is escaped. */
  #isEscaped = false
  #end = ''

  read(text: string): void {
    const signs = text.slice(this.#isEscaped ? 1 : 0).matchAll(/\\.?|["'`\n]/gs)
    this.#isEscaped = false
    for (const [sign] of signs) {
      if (sign === '\n') this.#quote = ''
      else if (sign === '\\') this.#isEscaped = true
      else if (this.#quote === '' && sign.length === 1) this.#quote = sign
      else if (sign === this.#quote) this.#quote = ''
    }
    this.#end = (this.#end + text).slice(-40)
  }

  /**
   * True if a value is expected next, as after `var order = `; false inside a quotation, and after
   * a character that no value can follow.
   */
  get expectsValue(): boolean {
    return this.#quote === '' && /(?:^|[=([,:?&|{}>;]|\breturn)\s*$/.test(this.#end)
  }
}
