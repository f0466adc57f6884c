import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Gateway } from '../../../mock-gateway/gateway.ts'
import { styleAddress } from '../../helpers/assets.ts'
import { checkAnswer, readAnswer, readContract } from '../../helpers/contract.ts'
import { MERCHANT, TEMPLATES } from '../../helpers/gateway.ts'
import { openGateway, sharedGateway } from '../../helpers/shared-gateway.ts'
import { DATABASES, openTestPlace } from '../storage/databases.ts'
import { fieldsOf, logIn, mutatedAt, placesOf } from './console-places.ts'
import { type Request as Drawn, requests } from './fuzz-requests.ts'
import { knownOf, LOGINS, RIVAL } from './known.ts'
import { createTestData, newPayersAtBank } from './test-data.ts'

/** Fuzzing: requests that are derived from the contract, most of them with a mutated part. */

/** Number and seed of the requests to each database. `npm run lab -- abuse` sends more. */
const REQUESTS = Number(process.env.TEST_REQUESTS ?? 500)
const SEED = Number(process.env.TEST_SEED ?? 20260314)

/** Number of requests that use one set of rows. Requests pay, cancel and delete these rows. */
const ROWS_LAST = 200

/** Returns true if `URL` keeps the path. A path with `..` would be another call of the contract. */
const isAsWritten = (address: string): boolean =>
  URL.parse(address, 'http://localhost')?.pathname === address.split(/[?#]/)[0]

describe.each(DATABASES)('on %s', (_name, open) => {
  test(`${REQUESTS} requests get answers that the contract allows (seed ${SEED})`, async () => {
    const database = await openTestPlace(open)
    const shop = await openGateway({ database, merchants: [MERCHANT, RIVAL] })
    let succeeded = 0
    for (let sent = 0; sent < REQUESTS; sent += ROWS_LAST) {
      const numRuns = Math.min(ROWS_LAST, REQUESTS - sent)
      const [own, other] = [await createTestData(shop), await createTestData(shop.as(RIVAL))]
      const bank = await newPayersAtBank(shop, MERCHANT.id)
      const known = knownOf(own, other, await styleAddress(shop), bank)
      const drawn = requests(readContract(), known)
      for (const one of fc.sample(drawn, { numRuns, seed: SEED + sent }))
        if ((await send(shop.gateway, one)) < 400) succeeded += 1
    }
    expect((await shop.get('/health')).status).toBe(200)
    // Requests must reach the code behind the checks.
    expect(succeeded).toBeGreaterThan(REQUESTS / 10)
  })
})

/** Sends a request, and checks its answer. */
async function send(
  { handle }: Gateway,
  { method, address, body, type, login, headers = [] }: Drawn,
): Promise<number> {
  const lines = new Headers(
    headers.map((line): [string, string] => [
      line.split(':')[0] ?? '',
      line.replace(/^.*?: */, ''),
    ]),
  )
  if (LOGINS[login] !== undefined) lines.set('authorization', LOGINS[login])
  if (body !== null) lines.set('content-type', type)
  const url = `http://localhost:4400${address}`
  const answer = await handle(
    new Request(url, { method, headers: lines, body: body?.toWellFormed() ?? null }),
  )
  const read = readAnswer(answer.headers, await answer.text())
  try {
    expect(answer.status).toBeLessThan(500)
    // Pages of other origins cannot change data, whatever the call.
    const isForeign = answer.status === 403 && (lines.has('origin') || lines.has('sec-fetch-site'))
    if (isAsWritten(address) && !isForeign)
      checkAnswer(method, address, answer.status, answer.headers, read)
  } catch (error) {
    throw new Error(`${method} ${address}\n${[...lines].join('\n')}\n${body}`, { cause: error })
  }
  return answer.status
}

const KEY = 'a-key-of-our-own'
const shop = await sharedGateway({ control: KEY, templates: TEMPLATES })

describe('the console', async () => {
  /** Number and seed of the requests. `npm run lab -- abuse` sends more. */
  const REQUESTS = Number(process.env.TEST_REQUESTS ?? 200)

  await createTestData(shop)
  const clients = await logIn(shop.gateway, 'http://localhost:4400', KEY)
  const places = await placesOf(clients)

  test.each(['merchant', 'administrator'] as const)(
    `${REQUESTS} mutated console requests of a logged-in %s all succeed (seed ${SEED})`,
    async (name) => {
      const own = places.filter(({ by }) => by === name)
      expect(own.filter(({ method }) => method === 'POST').length).toBeGreaterThan(2)
      const answers: Record<number, number> = {}
      for (const [{ method }, { path, ...rest }] of fc.sample(mutatedAt(own), {
        seed: SEED,
        numRuns: REQUESTS,
      })) {
        const sent = fieldsOf({ path, ...rest })
        const { status } =
          method === 'POST'
            ? await clients[name].post(path, sent)
            : await clients[name].get(`${path}?${new URLSearchParams(sent)}`)
        answers[status] = (answers[status] ?? 0) + 1
        if (status >= 500)
          expect({ method, path, sent, status }).toEqual('an answer that is no failure')
      }
      expect((await clients[name].get(own[0]?.path ?? '')).status).toBe(200)
      expect(answers[200]).toBeGreaterThan(REQUESTS / 20)
      expect(answers[400]).toBeGreaterThan(REQUESTS / 50)
    },
  )
})
