import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { sharedFolder } from '../../helpers/shared.ts'
import { against } from './against.ts'

const BUILT = 'mock-gateway/dist'

/** Number of requests. `npm run lab -- against` sends 50,000. */
const REQUESTS = 60

const folder = await sharedFolder()

test('two gateways of one build give the same answers, byte for byte', async () => {
  const { sent, succeeded, groups } = await against({
    builds: [BUILT, BUILT],
    requests: REQUESTS,
    seed: 1,
  })
  expect([...groups]).toEqual([])
  expect(sent).toBe(REQUESTS)
  expect(succeeded).toBeGreaterThan(REQUESTS / 4)
})

test('a build with other texts, and a build that calls other shops, are reported with the place of the difference', async () => {
  await writeFile(
    join(folder, 'gateway.js'),
    `import { createGateway as create } from ${JSON.stringify(pathToFileURL(join(process.cwd(), BUILT, 'gateway.js')))}
    export async function createGateway({ webhooks, ...options }) {
      const call = (given) => webhooks.call({ ...given, url: given.url.replace('test-data', 'palace') })
      const gateway = await create({ ...options, webhooks: { call } })
      async function handle(request) {
        const { status, headers, body } = await gateway.handle(request)
        const text = await new Response(body).text()
        return new Response(text.replace('"status":"authorized"', '"status":"reserved"'), { status, headers })
      }
      return { ...gateway, handle }
    }`,
  )
  const { groups } = await against({ builds: [BUILT, folder], requests: 30, seed: 1 })
  const shapes = [...groups.keys()]
  expect(shapes).toContain('POST /v1/transactions: .status authorized → reserved')
  expect(shapes).toContain(
    'POST /v1/transactions: webhook text POST https://test-data-#.example/hook → POST https://palace-#.example/hook',
  )
  // The two builds must have no other differences.
  for (const shape of shapes) expect(shape).toMatch(/authorized → reserved$|\/\/palace-#/)
})
