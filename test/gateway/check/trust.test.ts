/** Tests that a check leaves the gateway as it was, and that a wrong plan is an error. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readPlan } from '../../../mock-gateway/check/plan.ts'
import { runCheck } from '../../../mock-gateway/check/run.ts'
import { type RunningGateway, runGateway } from '../../../mock-gateway/cli.ts'
import { createManualTime } from './manual-time.ts'
import { SMALL_PLAN, type SmallShop, startSmallShop } from './shop.ts'

const ORDER = { get: '/orders/{payment_ref}.json', paid: "status = 'paid'", fulfilled: 'fulfilled' }

let gateway: RunningGateway
let shop: SmallShop
beforeAll(async () => {
  gateway = await runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, () => {})
})
afterEach(() => shop?.close())
afterAll(() => gateway.close())

async function control(method: string, path: string, fields?: Record<string, string>) {
  const headers = { 'x-control-key': gateway.control.key ?? '' }
  const body = fields ? new URLSearchParams(fields) : null
  return (await fetch(`${gateway.url}/_control${path}`, { method, headers, body })).json()
}

/** @param onCall called after each call of the gateway, with its address */
async function check(
  plan: object,
  only: readonly string[],
  { signal, onCall }: { signal?: AbortSignal; onCall?: (address: string) => void } = {},
) {
  shop = await startSmallShop(gateway.addresses.base, gateway.merchant)
  const { url, merchant } = gateway
  const read = readPlan(JSON.stringify(plan), shop.url, url)
  const ask = async (call: Request) => {
    const answer = await fetch(call)
    onCall?.(call.url)
    return answer
  }
  const checked = { url, controlKey: gateway.control.key ?? '', merchant, ask }
  const time = createManualTime()
  return runCheck(checked, read, { only, time, ...(signal && { signal }) })
}

const readState = async () => {
  const { mode, now } = await control('GET', '/clock?merchant_id=1')
  const { faults } = await control('GET', '/faults')
  const forced = async (path: string) =>
    (await control('GET', path)).next.map(({ id: _id, ...row }: Record<string, unknown>) => row)
  return {
    clock: mode === 'frozen' ? now : mode,
    faults: faults.map(({ id: _id, struck: _struck, ...fault }: Record<string, unknown>) => fault),
    payments: await forced('/payments/next'),
    captures: await forced('/captures/next'),
    authentications: await control('GET', '/3ds/next?merchant_id=1'),
    isHeld: (await control('GET', '/webhooks/sending'))?.hold ?? false,
  }
}

/** Changes everything that a check changes too. @returns the state */
async function changeState() {
  await control('POST', '/clock/freeze?merchant_id=1', { at: '2030-01-01' })
  await control('POST', '/payments/next', { outcome: 'errors.payment.declined', merchant_id: '1' })
  await control('POST', '/captures/next', { outcome: 'approved', merchant_id: '1' })
  await control('POST', '/3ds/next?merchant_id=1', { result: 'N', delay_seconds: '3' })
  await control('POST', '/faults', { kind: 'unavailable', times: '0', merchant_id: '1' })
  return readState()
}

test('after a check clock, outcomes, faults and holds are as before, and did not affect it', async () => {
  const before = await changeState()
  const only = ['plain', 'capture-fails', 'service-down', 'subscription-retried']
  const { results, gateway: shown } = await check({ ...SMALL_PLAN, order: ORDER, settle: 1 }, only)
  expect(results.map(({ verdict }) => verdict)).toEqual(only.map(() => 'passed'))
  expect(shown).toMatch(/^The gateway is as before: clock frozen, faults 1, forced outcomes 3/)
  expect(await readState()).toEqual(before)
  const ended = await check({ ...SMALL_PLAN, order: ORDER }, only, { signal: AbortSignal.abort() })
  expect(ended.ended).toBe('The check was ended.')
  expect(await readState()).toEqual(before)
  await control('POST', '/reset')
})

test.for([
  ['Ctrl-C', 'The check was ended.'],
  ['a crash of the shop', 'The check ended in the case "subscription-retried"'],
] as const)('after %s within a case, the gateway is as before', async ([event, says]) => {
  const before = await changeState()
  const stopping = new AbortController()
  // The clock has moved, and the declined charge is forced.
  const onCall = (address: string) => {
    if (!address.includes('/clock/advance')) return
    if (event === 'Ctrl-C') stopping.abort()
    else shop.close()
  }
  const { signal } = stopping
  const plan = { ...SMALL_PLAN, order: ORDER, settle: 1 }
  const { ended } = await check(plan, ['subscription-retried'], { signal, onCall })
  expect(ended).toContain(says)
  expect(await readState()).toEqual(before)
  await control('POST', '/reset')
})
