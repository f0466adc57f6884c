/** The plan cannot be used, or the shop does not do what the plan says. */
export class CheckError extends Error {}

/** Reports an error of Playwright in one sentence. */
export function toBrowserError(error: unknown): CheckError {
  if (error instanceof CheckError) return error
  const [line = ''] = (error as Error).message.split('\n')
  return new CheckError(`A step in the browser failed: ${line}.`)
}

/** Milliseconds that a shop has for one answer. */
const ANSWER_MS = 15_000
const MOST_BYTES = 1_000_000
const MOST_REDIRECTS = 10

/**
 * Sends one request without following redirects.
 * @param timeout milliseconds for the whole answer
 * @throws CheckError when the shop does not answer
 */
export async function request(
  address: URL | string,
  init: RequestInit = {},
  timeout: number = ANSWER_MS,
): Promise<Response> {
  try {
    return await fetch(address, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
      ...init,
    })
  } catch (error) {
    throw new CheckError(`${address} did not answer: ${reasonOf(error)}.`)
  }
}

/** @throws CheckError when a body has more than a megabyte, or ends before it is complete */
export async function readText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of answer.body ?? []) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > MOST_BYTES)
        throw new CheckError(`${answer.url} answered more than ${MOST_BYTES} bytes.`)
    }
  } catch (error) {
    if (error instanceof CheckError) throw error
    throw new CheckError(`${answer.url} did not finish its answer: ${reasonOf(error)}.`)
  }
  return Buffer.concat(chunks).toString()
}

/** Returns the reason of a failed fetch: the cause contains address and port. */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error
  if (name === 'TimeoutError') return 'the time is over'
  return cause instanceof Error ? cause.message || cause.name : message
}

/**
 * Goes through a shop as a browser without scripts: keeps cookies, follows redirects, opens the
 * frame of another origin, and sends the form of a page that leads to another origin, such as a
 * form of signed fields for `/v1/form`.
 * @returns the first address outside the shop
 * @throws CheckError when the shop leads nowhere
 */
export async function leaveShop(
  start: URL,
  init: RequestInit,
  timeout: number | undefined,
): Promise<string> {
  const cookies = new Map<string, string>()
  let next: { readonly url: URL; readonly init: RequestInit } = { url: start, init }
  for (let steps = 0; steps <= MOST_REDIRECTS; steps++) {
    const headers =
      cookies.size > 0 ? { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') } : {}
    const answer = await request(next.url, { ...next.init, headers }, timeout)
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const isOutside = next.url.origin !== start.origin
    const location = answer.headers.get('location')
    if (location === null) {
      const html = isOutside ? '' : await readText(answer)
      const frame = findFrame(html, next.url)
      if (frame !== undefined) return frame
      const form = findForms(html, next.url).find(
        ({ url }) => !isOutside && url.origin !== start.origin,
      )
      if (!form) {
        const { method = 'GET' } = next.init
        throw new CheckError(
          `${method} ${next.url.pathname} answered ${answer.status} without sending the payer to a payment page.`,
        )
      }
      next = { url: form.url, init: { method: 'POST', body: form.fields } }
      continue
    }
    await readText(answer)
    const url = new URL(location, next.url)
    if (url.origin !== start.origin) return url.href
    const keepsMethod = answer.status === 307 || answer.status === 308
    next = { url, init: keepsMethod ? next.init : {} }
  }
  throw new CheckError(`The shop redirects without end at ${start.pathname}.`)
}

/** Finds the first frame with a page of another origin. */
function findFrame(html: string, page: URL): string | undefined {
  for (const part of html.split(/<iframe\b/i).slice(1)) {
    const [head = ''] = part.split('>')
    const source = findAttribute(head, 'src')
    const url = source === undefined ? null : URL.parse(source, page)
    if (url && url.origin !== page.origin) return url.href
  }
  return undefined
}

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
