import { lookup } from 'node:dns'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request as sendHttp } from 'node:http'
import { request as sendHttps } from 'node:https'
import { timers } from '../domain/timers.ts'
import { isForbiddenAddress } from '../domain/webhook/addresses.ts'
import { createCheckedLookup, findForbiddenHost } from '../webhooks/http-call.ts'
import { CheckError, NoPageError } from './errors.ts'

/** Milliseconds that a shop has for one answer. */
const ANSWER_MS = 15_000
const MOST_BYTES = 1_000_000
const MOST_REDIRECTS = 10

/** A request of the check. */
export interface ShopRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Fields of a form, or another text, whose type is in `headers`. */
  readonly body?: URLSearchParams | string | null
}

/** An answer that has arrived completely. */
export interface ShopAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Cookies of a browser by name; it sends all of them to every URL. */
export type Cookies = Map<string, string>

/**
 * Sends one request without following redirects, on a connection of its own: a shop may just have
 * closed one that is kept.
 * @param timeout milliseconds for the whole answer
 * @param cookies are sent, and get those of the answer
 * @throws CheckError when the shop does not answer, or answers more than a megabyte
 */
export async function request(
  address: URL | string,
  init: ShopRequest = {},
  timeout: number = ANSWER_MS,
  cookies: Cookies = new Map(),
): Promise<ShopAnswer> {
  const { signal, clear } = startTimeout(timeout)
  const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
  const headers = { ...init.headers, ...(cookie && { cookie }) }
  try {
    const answer = await sendRequest(new URL(address), { ...init, headers }, signal)
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return answer
  } catch (error) {
    if (error instanceof CheckError) throw error
    const { message, code } = error as NodeJS.ErrnoException
    throw new NoPageError(
      `${address} did not answer: ${signal.aborted ? 'the time is over' : message || code}.`,
    )
  } finally {
    clear()
  }
}

/** Milliseconds between two looks at the time. */
const SLICE_MS = 250

/**
 * Starts a timeout in slices. A slice in which this process could not run counts as one slice: on a
 * machine with much work, an answer may have arrived that was not read yet.
 */
function startTimeout(milliseconds: number) {
  const stopping = new AbortController()
  let left = milliseconds
  let timer: NodeJS.Timeout
  const wait = () => {
    const slice = Math.min(left, SLICE_MS)
    timer = timers.setTimeout(() => {
      left -= slice
      if (left > 0) wait()
      else stopping.abort()
    }, slice)
  }
  wait()
  return { signal: stopping.signal, clear: () => timers.clearTimeout(timer) }
}

/** Link-local addresses and metadata services of clouds are never called, as by webhooks. */
const isAllowed = (address: string) => !isForbiddenAddress(address, 'local')

async function sendRequest(url: URL, init: ShopRequest, signal: AbortSignal): Promise<ShopAnswer> {
  const { method = 'GET', body, headers } = init
  const forbidden = findForbiddenHost(url.hostname, isAllowed)
  if (forbidden !== undefined) throw new CheckError(`${url}: ${forbidden}.`)
  const sent = (url.protocol === 'https:' ? sendHttps : sendHttp)(url, {
    lookup: createCheckedLookup(lookup, isAllowed),
    method,
    signal,
    agent: false,
    headers: {
      accept: '*/*',
      'accept-language': '*',
      ...(body && { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }),
      ...headers,
    },
  })
  // An error after the answer has begun is also an error of the answer, which is reported.
  sent.on('error', () => {})
  const [answer] = (await once(sent.end(body?.toString()), 'response')) as [IncomingMessage]
  const { statusCode: status = 0, headers: answered } = answer
  return { status, headers: answered, text: await readText(answer, url, signal) }
}

async function readText(answer: IncomingMessage, url: URL, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of answer) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > MOST_BYTES) throw new CheckError(`${url} answered more than ${MOST_BYTES} bytes.`)
    }
  } catch (error) {
    if (error instanceof CheckError) throw error
    const reason = signal.aborted ? 'the time is over' : (error as Error).message
    throw new CheckError(`${url} did not finish its answer: ${reason}.`)
  }
  return Buffer.concat(chunks).toString()
}

/** The next request of a payer's browser. */
export interface PageRequest {
  readonly url: URL
  readonly init: ShopRequest
}

/**
 * Sends a request and follows redirects as a browser does.
 * @param isOutside returns true for an address that a redirect must not open
 * @returns the last address, with its answer if it was opened; undefined for endless redirects
 */
export async function followRedirects(
  start: PageRequest,
  timeout: number | undefined,
  { cookies = new Map(), isOutside = () => false, isRedirect = isMoved }: RedirectOptions = {},
): Promise<(PageRequest & { readonly answer?: ShopAnswer }) | undefined> {
  let next = start
  for (let steps = 0; steps <= MOST_REDIRECTS; steps++) {
    const answer = await request(next.url, next.init, timeout, cookies)
    const { location } = answer.headers
    if (location === undefined || !isRedirect(answer.status)) return { ...next, answer }
    const keepsMethod = answer.status === 307 || answer.status === 308
    next = { url: new URL(location, next.url), init: keepsMethod ? next.init : {} }
    if (isOutside(next.url)) return next
  }
  return undefined
}

interface RedirectOptions {
  readonly cookies?: Cookies
  readonly isOutside?: (url: URL) => boolean
  /** Returns true for the status of an answer whose Location is opened. Default: 300 to 399. */
  readonly isRedirect?: (status: number) => boolean
}

const isMoved = (status: number): boolean => status >= 300 && status < 400

/**
 * Goes through a shop as a browser without scripts: keeps cookies, follows redirects, opens the
 * frame with a payment page, and sends the form of a page that leads to another origin, such as a
 * form of signed fields for `/v1/form`.
 * @param findNext the request of a page whose script would go on
 * @returns the first address outside the shop
 * @throws CheckError when the shop leads nowhere
 */
export async function leaveShop(
  start: PageRequest,
  timeout: number | undefined,
  findNext: (answer: ShopAnswer, page: URL) => PageRequest | undefined = () => undefined,
): Promise<string> {
  const isOutside = ({ origin }: URL) => origin !== start.url.origin
  // A shop with a JSON interface can name the payment page with status 200 or 201.
  const options = { cookies: new Map(), isOutside, isRedirect: () => true }
  let next = start
  for (let pages = 0; pages <= MOST_REDIRECTS; pages++) {
    const last = await followRedirects(next, timeout, options)
    if (!last) break
    const { url, answer } = last
    if (!answer) return url.href
    const html = isOutside(url) ? '' : answer.text
    const frame = findFrame(html, url)
    if (frame !== undefined) return frame
    const form = findForms(html, url).find((each) => isOutside(each.url))
    if (form) next = { url: form.url, init: { method: 'POST', body: form.fields } }
    else {
      const found = isOutside(url) ? undefined : findNext(answer, url)
      if (!found)
        throw new NoPageError(
          `${last.init.method ?? 'GET'} ${url.pathname} answered ${answer.status} without sending the payer to a payment page.`,
          answer.status,
        )
      next = found
    }
  }
  throw new CheckError(`The shop redirects without end at ${start.url.pathname}.`)
}

/** Returns true for a payment page of a gateway. Shops also show frames of other services. */
export const isPaymentPage = (address: string): boolean =>
  /\/v1\/form\/[^/]+$/.test(URL.parse(address)?.pathname ?? '')

/** Finds the frame with a payment page. */
const findFrame = (html: string, page: URL): string | undefined =>
  html
    .split(/<iframe\b/i)
    .slice(1)
    .map(
      (part) => URL.parse(findAttribute(part.split('>')[0] ?? '', 'src') ?? '', page)?.href ?? '',
    )
    .find(isPaymentPage)

/** A form of a page. */
export interface PageForm {
  readonly url: URL
  readonly method: string
  readonly fields: URLSearchParams
}

/** Finds the forms of a page with the values of their inputs. Scripts of the page do not run. */
export function findForms(html: string, page: URL): readonly PageForm[] {
  return html
    .split(/<form\b/i)
    .slice(1)
    .flatMap((part): PageForm[] => {
      const [head = '', ...rest] = part.split('>')
      const url = URL.parse(findAttribute(head, 'action') ?? page.href, page)
      if (!url) return []
      const [inside = ''] = rest.join('>').split(/<\/form/i)
      const fields = new URLSearchParams()
      for (const input of inside.split(/<input\b/i).slice(1)) {
        const [attributes = ''] = input.split('>')
        const name = findAttribute(attributes, 'name')
        if (name) fields.append(name, findAttribute(attributes, 'value') ?? '')
      }
      return [{ url, method: (findAttribute(head, 'method') ?? 'get').toUpperCase(), fields }]
    })
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#34': '"',
  '#39': "'",
}

function findAttribute(tag: string, name: string): string | undefined {
  for (const [, found = '', quoted, plain] of tag.matchAll(/\s([\w-]+)=(?:"([^"]*)"|([^\s"'>]+))/g))
    if (found.toLowerCase() === name)
      return (quoted ?? plain)?.replaceAll(
        /&(#?\w{1,4});/g,
        (whole, entity: string) => ENTITIES[entity] ?? whole,
      )
  return undefined
}
