import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { TEMPLATES } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { type Clients, fieldsOf, logIn, mutatedAt, type Place, placesOf } from './console-places.ts'
import { createTestData } from './test-data.ts'

/** Number and seed of the requests. `npm run lab -- abuse` sends more. */
const REQUESTS = Number(process.env.TEST_REQUESTS ?? 200)
const SEED = Number(process.env.TEST_SEED ?? 20260314)

const KEY = 'a-key-of-our-own'

let clients: Clients
let places: readonly Place[]
const shop = await sharedGateway({ control: KEY, templates: TEMPLATES })
beforeAll(async () => {
  await createTestData(shop)
  clients = await logIn(shop.gateway, 'http://localhost:4400', KEY)
  places = await placesOf(clients)
})

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
