/** Tests that a check leaves the gateway as it was, and that a wrong plan is an error. */
import { expect, test } from 'vitest'
import { ORDER, useGateway } from './fixture.ts'
import { createManualTime } from './manual-time.ts'
import { SMALL_PLAN } from './shop.ts'

const PLAN = {
  ...SMALL_PLAN,
  order: { get: ORDER, paid: "status = 'paid'", fulfilled: 'fulfilled' },
}

const gateway = useGateway()
const { control } = gateway

/** @param onCall called after each call of the gateway, with its address */
async function check(
  plan: object,
  only: readonly string[],
  { signal, onCall }: { signal?: AbortSignal; onCall?: (address: string, shop: Shop) => void } = {},
) {
  const shop = await gateway.startSmallShop()
  const ask = async (call: Request) => {
    const answer = await fetch(call)
    onCall?.(call.url, shop)
    return answer
  }
  const options = { only, time: createManualTime(), ...(signal && { signal }) }
  return gateway.run(shop.url, plan, options, { ask })
}

type Shop = Awaited<ReturnType<typeof gateway.startSmallShop>>

const readState = async () => {
  const { mode, now } = await control('/clock?merchant_id=1')
  const { faults } = await control('/faults')
  const forced = async (path: string) =>
    (await control(path)).next.map(({ id: _id, ...row }: Record<string, unknown>) => row)
  return {
    clock: mode === 'frozen' ? now : mode,
    faults: faults.map(({ id: _id, struck: _struck, ...fault }: Record<string, unknown>) => fault),
    payments: await forced('/payments/next'),
    captures: await forced('/captures/next'),
    authentications: await control('/3ds/next?merchant_id=1'),
    isHeld: (await control('/webhooks/sending'))?.hold ?? false,
  }
}

/** Changes everything that a check changes too. @returns the state */
async function changeState() {
  await control('/clock/freeze?merchant_id=1', 'POST', { at: '2030-01-01' })
  await control('/payments/next', 'POST', { outcome: 'errors.payment.declined', merchant_id: '1' })
  await control('/captures/next', 'POST', { outcome: 'approved', merchant_id: '1' })
  await control('/3ds/next?merchant_id=1', 'POST', { result: 'N', delay_seconds: '3' })
  await control('/faults', 'POST', { kind: 'unavailable', times: '0', merchant_id: '1' })
  return readState()
}

test('after a check clock, outcomes, faults and holds are as before, and did not affect it', async () => {
  const before = await changeState()
  const only = ['plain', 'capture-fails', 'service-down', 'subscription-retried']
  const { results, gateway: shown } = await check({ ...PLAN, settle: 1 }, only)
  expect(results.map(({ verdict }) => verdict)).toEqual(only.map(() => 'passed'))
  expect(shown).toMatch(/^The gateway is as before: clock frozen, faults 1, forced outcomes 3/)
  expect(await readState()).toEqual(before)
  const ended = await check(PLAN, only, { signal: AbortSignal.abort() })
  expect(ended.ended).toBe('The check was ended.')
  expect(await readState()).toEqual(before)
  await control('/reset', 'POST')
})

test.for([
  ['Ctrl-C', 'The check was ended.'],
  ['a crash of the shop', 'The check ended in the case "subscription-retried"'],
] as const)('after %s within a case, the gateway is as before', async ([event, says]) => {
  const before = await changeState()
  const stopping = new AbortController()
  // The clock has moved, and the declined charge is forced.
  const onCall = (address: string, shop: Shop) => {
    if (!address.includes('/clock/advance')) return
    if (event === 'Ctrl-C') stopping.abort()
    else shop.close()
  }
  const { signal } = stopping
  const plan = { ...PLAN, settle: 1 }
  const { ended } = await check(plan, ['subscription-retried'], { signal, onCall })
  expect(ended).toContain(says)
  expect(await readState()).toEqual(before)
  await control('/reset', 'POST')
})
