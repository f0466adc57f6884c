import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import pino from 'pino'
import { describe, expect, test } from 'vitest'
import { parseContract } from '../../../mock-gateway/web/docs/parse.ts'
import { styleAddress } from '../../helpers/assets.ts'
import { CONTRACT_FILE } from '../../helpers/contract.ts'
import { MERCHANT, payment, startGateway, type TestGateway } from '../../helpers/gateway.ts'
import { OTHER_PRIVATE_KEY } from '../../helpers/keys.ts'
import { DATABASES } from '../storage/databases.ts'
import { type Estate, newEstate } from './estate.ts'
import { type Known, type Request, requestedCalls, requests } from './fuzz-requests.ts'
import { strayRequests } from './stray-requests.ts'

const contract = parseContract(readFileSync(CONTRACT_FILE, 'utf8'))

const operations = requestedCalls(contract).map(({ operation }) => operation.operationId)

/** Calls that can only refuse. */
const NEVER_DONE = ['captureNothing', 'findAddress']

const OTHER = { id: 2, password: 'other password', secret: 'other secret', private_key: OTHER_PRIVATE_KEY }
const SEED = 20260314

/** `npm run test:fuzz`: enough requests for every call to succeed and for a leak to show; a fifth of them in `npm test`. */
const IS_LONG = process.env.MODE === 'fuzz'

const REQUESTS = IS_LONG ? 10_000 : 2_000

/** Requests to each database: PostgreSQL fails on values that SQLite takes. */
const RUNS: Readonly<Record<string, number>> = { 'SQLite in memory': REQUESTS * 0.6, PostgreSQL: REQUESTS * 0.4 }

/** After so many, the merchants get new rows of every kind: requests pay, cancel and delete what there is. */
const RUNS_OF_AN_ESTATE = 200

/** Bytes by which the heap may grow for each request of the second half: a leak of one kilobyte would show. */
const MOST_GROWTH = 768

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

function heapUsed(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** Calls that succeeded. */
const done = new Set<string>()

describe.each(DATABASES.filter(([name]) => name in RUNS))('on %s', (name, open) => {
  const runs = RUNS[name] ?? 0

  test(`${runs} requests, most made from the contract, are answered as it says, and nothing fails (seed ${SEED})`, {
    timeout: 120_000,
  }, async () => {
    const place = await open()
    const failures: string[] = []
    const logger = pino({ level: 'error' }, { write: (line) => void failures.push(line) })
    const shop = await startGateway({ database: place.target, merchants: [MERCHANT, OTHER], logger })
    const style = await styleAddress(shop)
    const rejections: unknown[] = []
    const note = (reason: unknown) => void rejections.push(reason)
    process.on('unhandledRejection', note)

    let heapAtHalf = 0
    for (let sent = 0; sent < runs; sent += RUNS_OF_AN_ESTATE) {
      if (sent === runs / 2) heapAtHalf = heapUsed()
      const known = knownOf(await newEstate(shop), await newEstate(shop.as(OTHER)), style)
      const any = fc.oneof(
        { weight: 19, arbitrary: requests(contract, known) },
        { weight: 1, arbitrary: strayRequests(known) },
      )
      const property = fc.asyncProperty(any, async (request) => {
        // The client of the tests holds every answer against the contract, which knows no 500.
        const { status } = await send(shop, request)
        expect(failures.splice(0)).toEqual([])
        expect(({} as Record<string, unknown>).x).toBeUndefined()
        if (status < 400) done.add(request.operation)
      })
      await fc.assert(property, { numRuns: RUNS_OF_AN_ESTATE, seed: SEED + sent })
    }

    const growth = (heapUsed() - heapAtHalf) / (runs / 2)
    process.off('unhandledRejection', note)
    expect(rejections).toEqual([])
    if (IS_LONG) expect(growth).toBeLessThan(MOST_GROWTH)
    expect((await shop.post('/v1/transactions', payment())).body.status).toBe('approved')
    await shop.close()
    await place.remove()
  })
})

test(`${IS_LONG ? 'every call that can succeed' : 'most calls'} did so`, () => {
  const undone = operations.filter((operation) => !done.has(operation))
  if (IS_LONG) expect(undone).toEqual(NEVER_DONE)
  else expect(undone.length).toBeLessThan(operations.length / 4)
})

const LOGINS: Readonly<Record<Request['login'], string | undefined>> = {
  own: `Basic ${btoa(`${MERCHANT.id}:${MERCHANT.password}`)}`,
  other: `Basic ${btoa(`${OTHER.id}:${OTHER.password}`)}`,
  broken: 'Basic \u00ff:',
  none: undefined,
}

function send(shop: TestGateway, { method, address, body, type, login }: Request) {
  const authorization = LOGINS[login]
  const headers = { ...(authorization ? { authorization } : {}), ...(body === null ? {} : { 'content-type': type }) }
  return shop.browser.send<unknown>(method, address, body, headers)
}

/** Ids of rows that the requests themselves make. */
const LATER = [10, 11, 12, 13, 14, 15]

/** What the documented examples can be made real with; rows of the other merchant are among the ids. */
function knownOf(own: Estate, other: Estate, style: string): Known {
  const both = (...names: (keyof Estate)[]) => [own, other].flatMap((of) => names.map((name) => String(of[name])))
  return {
    values: {
      transaction_id: [own.approved, own.authorized, ...LATER],
      customer_id: [own.customer, ...LATER],
      stored_card_id: [own.stored_card, ...LATER],
      plan_id: [own.plan, ...LATER],
      customer_ref: [own.customer_ref],
      merchant_id: [MERCHANT.id],
      success_url: ['https://shop.example/thanks'],
      error_url: ['https://shop.example/sorry'],
    },
    ids: {
      transactions: both('approved', 'authorized', 'pending'),
      refunds: both('refund'),
      stored_cards: both('stored_card'),
      stored_card: both('stored_card'),
      customers: both('customer'),
      plans: both('plan'),
      subscriptions: both('subscription'),
      subscription: both('subscription'),
      webhooks: both('webhook'),
      attempts: both('attempt'),
      form: both('href_token'),
      assets: [style.replace('/assets/', '')],
    },
  }
}
