import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/gateway.ts'
import { MERCHANT, startGateway, type TestGateway } from '../../helpers/gateway.ts'
import { TEST_PRIVATE_KEY } from '../../helpers/keys.ts'
import {
  type Answered,
  type BrunoCollection,
  type PostmanCollection,
  runBruno,
  runPostman,
  type Sent,
} from './collection-clients.ts'

const { id, password, secret } = DEFAULT_MERCHANT

let gateway: TestGateway
beforeAll(async () => {
  const merchants = [{ id, password, secret, private_key: TEST_PRIVATE_KEY }] as const
  gateway = await startGateway({ merchants, library: import.meta.filename })
})
afterAll(() => gateway.close())

const collection = async <Kind>(client: string) => (await gateway.get<Kind>(`/docs/${client}.json`)).body

/** Sends to the gateway, where every answer is held against the contract, and keeps what came. */
async function answersOf(run: (send: (sent: Sent) => Promise<Answered>) => Promise<void>) {
  const answers: (Answered & Pick<Sent, 'name' | 'method'>)[] = []
  await run(async ({ name, method, url, headers, body }) => {
    const path = url.replace(/^https?:\/\/[^/]*/, '')
    const answer = await gateway.browser.send<unknown>(method, path, body, headers)
    answers.push({ name, method, ...answer })
    return answer
  })
  return answers
}

/** Calls that are made in vain: nothing is captured, nobody has registered a webhook, and a payer is sent on. */
const OTHERS = { 'A capture whose id was left out, which finds no transaction': 404, 'Reads a webhook': 404 }

describe.each([
  ['Postman', async () => answersOf(async (send) => runPostman(await collection<PostmanCollection>('postman'), send))],
  ['Bruno', async () => answersOf(async (send) => runBruno(await collection<BrunoCollection>('bruno'), send))],
])('the collection for %s', (_client, run) => {
  test('works from top to bottom, and a second time: every order is new, every hash right', async () => {
    for (const answers of [await run(), await run()]) {
      expect(answers.length).toBeGreaterThan(40)
      const refused = answers.filter(({ status }) => status !== 200 && status !== 303)
      expect(Object.fromEntries(refused.map(({ name, status }) => [name, status]))).toEqual(OTHERS)
      const created = answers.filter(({ name }) => name.startsWith('Creates a transaction'))
      const statuses = created.map(({ body }) => (body as { status: string }).status)
      expect(statuses).toEqual(['approved', 'pending', 'authorized'])
    }
  })
})

test.each([
  ['postman', '/docs/postman.json'],
  ['postman_collection.json', '/docs/postman.json'],
  ['mondido.postman_collection.json', '/docs/postman.json'],
  ['bruno', '/docs/bruno.json'],
  ['swagger.json', '/openapi.json'],
])('who guesses /docs/%s is led to %s', async (guess, to) => {
  const { status, headers } = await gateway.get(`/docs/${guess}`)
  expect([status, headers.get('location')]).toEqual([302, `http://localhost:4400${to}`])
})

test('a collection holds no secret of merchants that have their own', async () => {
  const other = await startGateway({ merchants: [MERCHANT] })
  const { body } = await other.get('/docs/postman.json')
  await other.close()
  const values = (body as unknown as PostmanCollection).variable.map(({ key, value }) => [key, value])
  expect(Object.fromEntries(values)).toMatchObject({
    merchant_id: 'MERCHANT_ID',
    password: 'PASSWORD',
    secret: 'SECRET',
  })
})
