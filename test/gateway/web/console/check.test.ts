import { afterEach, expect, test } from 'vitest'
import { runGateway } from '../../../../mock-gateway/cli.ts'
import { share } from '../../../helpers/shared.ts'
import { SMALL_PLAN, type SmallShop, startSmallShop } from '../../check/shop.ts'
import { consoleOf } from './client.ts'

const ORDER = {
  get: '/orders/{payment_ref}.json',
  paid: "status = 'paid'",
  fulfilled: 'fulfilled',
}
const PLAN = JSON.stringify({ ...SMALL_PLAN, order: ORDER, settle: 1, quiet: 0 })
let shop: SmallShop

const gateway = await share(
  runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, () => {}),
)
const client = consoleOf(gateway)
await client.logIn(gateway.merchant.id, gateway.merchant.password)

afterEach(() => shop?.close())

const PATH = '/1/check'
const page = async () => (await client.get(PATH)).html
/** Finds the number of cases with a result. */
const countOf = (verdict: string, count: number) =>
  new RegExp(`<p class="row">.*>${count} ${verdict}<`)

/** Waits until the page shows a text. */
const shows = (text: string | RegExp) =>
  expect.poll(async () => (await page()).search(text), { timeout: 120_000 }).toBeGreaterThan(0)

test('a button runs one case, and a failed case has cause, steps, payments and a command', async () => {
  shop = await startSmallShop(gateway.addresses.base, gateway.merchant, 'fulfils twice')
  await shows('not run')
  const typed = { shop: shop.url, plan: PLAN }
  const { to } = await client.post(PATH, { ...typed, only: 'return-twice' })
  expect(to).toBe('/console/1/check?done=check_started')
  await shows(countOf('failed', 1))
  const failed = await page()
  // The group of a failed case is open, and the others are folded.
  expect(failed.match(/<details class="group" open>/g)).toHaveLength(1)
  const parts = [
    ' times for one payment.',
    'opens http',
    '/console/1/transactions/',
    `mondido-gateway check ${shop.url} --repeat return-twice`,
  ]
  expect(parts.filter((part) => !failed.includes(part))).toEqual([])
  await client.post(PATH, { ...typed, only: 'return-unpaid' })
  await shows(countOf('passed', 1))
  await shows(countOf('failed', 1))
})

test('a check of all cases shows its progress, and stops with the results so far', async () => {
  shop = await startSmallShop(gateway.addresses.base, gateway.merchant)
  await client.post(PATH, { shop: shop.url, plan: PLAN })
  await shows(/<progress max="\d\d" value="[1-9]/)
  const again = await client.post(PATH, { shop: shop.url, plan: PLAN })
  expect([again.status, again.html]).toEqual([
    400,
    expect.stringContaining('A check is running. Stop it first.'),
  ])
  await client.post(`${PATH}/stop`)
  await shows(/The check was ended\.<\/p>\n<p class="row">(?!.*\d failed<).*[1-9]\d* passed</)
  const headers = { 'x-control-key': gateway.control.key ?? '' }
  const sending = await fetch(`${gateway.url}/_control/webhooks/sending`, { headers })
  expect(await sending.json()).toMatchObject({ hold: false })
})
