import { expect, test } from 'vitest'
import { MERCHANT } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { consoleOf, loggedIn, textOf } from './client.ts'

const KEY = 'a-key-of-our-own'

const shop = await sharedGateway({ control: KEY })
const administrator = await loggedIn(shop.gateway, 'admin', KEY)

const add = (fixtures: string) => administrator.post('/data/fixtures', { fixtures })

test('fixtures are added from the text of a file', async () => {
  const { status, to } = await add(
    '{"customers":[{"ref":"kim"}],"plans":[{"name":"A","interval":1,"interval_unit":"months","prices":{"sek":"1.00"}}]}',
  )
  expect([status, to]).toEqual([303, '/console/data?done=loaded&count=2'])
  expect(textOf((await administrator.get('/data?done=loaded&count=2')).html)).toContain(
    'Added rows: 2.',
  )
  expect((await shop.get<{ ref: string }[]>('/v1/customers')).body).toMatchObject([{ ref: 'kim' }])
})

test.each([
  ['{"customers":', 'The fixtures are not JSON'],
  ['{"customer":[]}', 'Did you mean customers?'],
  ['{"customers":[{"ref":"</textarea><script>alert(1)</script>","x":1}]}', 'customers[0]'],
])('fixtures with mistakes stay in the form, and add nothing: %s', async (fixtures, explain) => {
  const before = (await shop.get('/v1/customers')).body
  const { status, html } = await add(fixtures)
  expect(status).toBe(400)
  expect(textOf(html)).toContain(explain)
  expect(html).not.toContain('<script>alert')
  expect(textOf(html.slice(html.indexOf('<textarea')))).toContain(fixtures.slice(0, 12))
  expect((await shop.get('/v1/customers')).body).toEqual(before)
})

test('a merchant cannot add fixtures', async () => {
  const merchant = consoleOf(shop.gateway)
  await merchant.logIn(1, MERCHANT.password)
  expect(
    (await merchant.post('/data/fixtures', { fixtures: '{"customers":[{"ref":"mine"}]}' })).status,
  ).toBe(404)
})
