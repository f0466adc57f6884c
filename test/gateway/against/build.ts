import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createSeededBytes } from '../../../mock-gateway/domain/chance.ts'
import type { createGateway, Gateway } from '../../../mock-gateway/gateway.ts'
import { MERCHANT, START, type TestMerchant } from '../../helpers/gateway.ts'
import { OTHER_PRIVATE_KEY } from '../../helpers/keys.ts'

/** Request that is sent to both builds. */
export interface Sent {
  readonly method: string
  /** Path with its query. */
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Answer of a build, as text. */
export interface Answered {
  readonly status: number
  /** Headers by name, without headers that differ in every answer. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Webhooks that the request caused, in no particular order: addresses, headers and bodies. */
  readonly webhooks: readonly string[]
}

/** Gateway of a build, with a stopped clock and seeded random bytes. */
export interface Build {
  answer(sent: Sent): Promise<Answered>
  close(): Promise<void>
}

/**
 * Second merchant. It has the public default password, whose digest is calculated only once for all
 * gateways.
 */
export const OTHER: TestMerchant = {
  ...MERCHANT,
  id: 2,
  secret: 'other secret',
  private_key: OTHER_PRIVATE_KEY,
}

/**
 * Headers that differ in every answer: id, duration, date, and the digest and length of the body,
 * which is compared itself.
 */
const OWN_HEADERS = ['x-request-id', 'x-runtime', 'date', 'etag', 'content-length']

/**
 * Parts of texts that always differ: nonces of pages, measured times and memory, digests in names of
 * style sheets, and ids of requests.
 */
const OWN_TEXTS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(nonce[-="]+)[\w+/=]{20,}/g, '$1…'],
  [/^(mondido_\w+_seconds\w*(?:{.*})?) .+$/gm, '$1 …'],
  [/^.*\bmondido_(?:process|event_loop)_.*\n/gm, ''],
  [/(\/assets\/[\w-]+\.)[0-9a-f]{16}\b/g, '$1…'],
  [/("request_id":)"[^"]*"|("duration_ms":)[\d.]+/g, '$1$2"…"'],
]

/** Key of `/_control` in both builds. */
export const CONTROL_KEY = 'control-key-of-both'

/** Seconds by which the clock moves after each request, so that each row has its own date. */
const STEP = 61

/**
 * Loads a build.
 * @param folder the folder of its `gateway.js`
 * @throws Error if there is none
 */
export async function loadBuild(folder: string): Promise<(seed: string) => Promise<Build>> {
  const module = await import(pathToFileURL(join(resolve(folder), 'gateway.js')).href)
  return (seed) =>
    openBuild((module as { readonly createGateway: typeof createGateway }).createGateway, seed)
}

async function openBuild(create: typeof createGateway, seed: string): Promise<Build> {
  const webhooks: string[] = []
  let number = 0
  let bytes = createSeededBytes(seed)
  const gateway = await create({
    merchants: [MERCHANT, OTHER],
    control: CONTROL_KEY,
    ambient: { now: () => START, randomBytes: (count) => bytes(count) },
    webhooks: {
      async call({ url, method, headers, body }) {
        webhooks.push(`${method} ${url}\n${JSON.stringify(headers)}\n${body}`)
        return {
          code: /refuse|500/.test(url) ? 500 : 200,
          body: '',
          message: '',
          headers: {},
          error: null,
        }
      },
    },
  })
  await gateway.clock.freeze()
  return {
    async answer(sent) {
      // If one build draws one more value than the other, only this request differs.
      bytes = createSeededBytes(`${seed} ${++number}`)
      const answer = await gateway.handle(requestOf(sent))
      const body = await answer.text()
      await gateway.clock.advance({ seconds: STEP })
      const own = answer.headers.get('x-request-id') ?? '-'
      const headers = [...answer.headers]
        .filter(([name]) => !OWN_HEADERS.includes(name))
        .map(([name, value]) => [name, compared(value)] as const)
      return {
        status: answer.status,
        headers: Object.fromEntries(headers),
        body: compared(body.replaceAll(own, '…')),
        webhooks: webhooks.splice(0).sort(),
      }
    },
    close: () => gateway.close(),
  }
}

const compared = (text: string) =>
  OWN_TEXTS.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text)

const requestOf = ({ method, address, headers, body }: Sent) =>
  new Request(new URL(address, 'http://localhost:4400'), { method, headers, body }) as Parameters<
    Gateway['handle']
  >[0]
