import { HtmlReader } from './html-contexts.ts'
import { tokensOf } from './tokens.ts'

/** The nonce of the answer: only `prepare` writes it. */
export const NONCE = 'csp_nonce'

/** Elements that a browser takes only with the nonce of the answer. */
const WITH_NONCE = /<(?:script|style|link)(?=[\s>/])|<form(?=[\s>])|<head(?=[\s>])/gi

/** Gives the scripts of the page their payment data (observed: 11.7). */
const ABOUT = `<script nonce="{{ ${NONCE} }}">window.Mondido = {{ mondido | json }}</script>`

/**
 * Prepares a merchant's page once, when it is saved: its scripts and styles get the nonce of the
 * answer, and forms without an action get the address of the payment. Values printed later cannot
 * get a nonce, because elements are not searched then.
 */
export function prepare(source: string): string {
  const html = new HtmlReader()
  let isTold = false
  const told = (text: string): string => {
    if (isTold) return ''
    isTold = true
    return text
  }
  let at = 0
  const prepared = tokensOf(source).map((token) => {
    const start = at
    at += token.written.length
    if (token.kind === 'output') html.pass()
    if (token.kind !== 'text') return token.written
    const text = token.written
    let done = 0
    let result = ''
    for (const { 0: tag, index } of text.matchAll(WITH_NONCE)) {
      html.read(text.slice(done, index))
      result += text.slice(done, index)
      done = index
      if (!html.isBetweenTags) continue
      const name = tag.slice(1).toLowerCase()
      if (name === 'head') {
        const end = text.indexOf('>', index) + 1
        if (end === 0) continue
        html.read(text.slice(index, end))
        result += text.slice(index, end) + told(ABOUT)
        done = end
      } else {
        html.read(tag)
        result += (name === 'script' ? told(ABOUT) : '') + tag
        result +=
          name === 'form' ? actionOf(source.slice(start + index)) : ` nonce="{{ ${NONCE} }}"`
        done = index + tag.length
      }
    }
    html.read(text.slice(done))
    return result + text.slice(done)
  })
  return prepared.join('')
}

/** Returns the action of a posting form; forms with another address, and with GET, keep theirs. */
function actionOf(rest: string): string {
  const tag = /^[^>]*/.exec(rest)?.[0] ?? ''
  return posts(tag) && !/\saction\s*=/i.test(tag) ? ' action="{{ transaction.href }}"' : ''
}

/** Returns true if a form with this tag posts the payer's input. */
export const posts = (tag: string): boolean => /\smethod\s*=\s*["']?post/i.test(tag)
