import { maskCardNumbers } from '../domain/card/numbers.ts'
import { badFormat } from '../domain/errors/errors.ts'
import { integer, type Parameters, pick, text } from './parameters/parameters.ts'

/** An error reported by the script on a merchant's own page. */
export interface PageErrorReport {
  /** A script threw or did not load; or no form is visible. */
  readonly what: 'page_script' | 'page_form'
  /** One sentence, without digits that a payer may have typed as a card. */
  readonly reason: string
}

/** @throws errors.request.bad_format (253) */
export function readPageErrorReport(parameters: Parameters): PageErrorReport {
  const sent = pick(parameters, ['what', 'message', 'file', 'line'])
  const what = text(sent, 'what')
  if (what === 'page_form')
    return { what, reason: 'In a browser: no form was visible after 3 seconds' }
  if (what !== 'page_script')
    throw badFormat('The parameter "what" must be page_script or page_form.')
  const message = removeNumbers(text(sent, 'message') ?? '')
  const file = shortenAddress(text(sent, 'file'))
  if (message === '')
    return { what, reason: `In a browser: ${file ?? 'a script'} could not be loaded` }
  const line = integer(sent, 'line', 'errors.request.bad_format')
  const where = `${file ?? 'the page'}${line ? `, line ${line}` : ''}`
  return { what, reason: `In a browser: ${message} (${where})` }
}

/**
 * Removes digits: a script's message may quote typed text, and a security code has three digits.
 */
const removeNumbers = (message: string): string =>
  message
    .slice(0, 200)
    .replace(/\p{C}+/gu, ' ')
    .replace(/\d(?:[ -]?\d){2,}/g, '***')
    .trim()

/** Removes the query, which may contain private data. */
function shortenAddress(file: string | undefined): string | undefined {
  const url = URL.parse(file?.slice(0, 200) ?? '')
  return url && /^https?:$/.test(url.protocol)
    ? maskCardNumbers(url.origin + url.pathname)
    : undefined
}
