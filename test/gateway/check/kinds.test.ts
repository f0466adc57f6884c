/**
 * Tests of the check with shops of other architectures: correct shops pass, and each planted fault
 * is found by a case, with its cause.
 */
import { expect, test } from 'vitest'
import { useGateway } from './fixture.ts'
import { KIND_FAULTS, KIND_PLANS, type ShopKind, startKindShop } from './kinds.ts'
import { createManualTime } from './manual-time.ts'

const gateway = useGateway()

async function check(kind: ShopKind, fault: string, only: readonly string[]) {
  const time = createManualTime()
  const { merchant } = gateway.reach()
  const shop = gateway.closeLater(await startKindShop(gateway.base(), merchant, kind, fault, time))
  return gateway.run(shop.url, KIND_PLANS[kind], { only, time })
}

const KINDS = Object.keys(KIND_PLANS) as ShopKind[]

test.for(KINDS)('a correct shop "%s" passes the cases that find its faults', async (kind) => {
  const names = KIND_FAULTS.flatMap(([faulty, , name]) => (faulty === kind ? [name] : []))
  const { results } = await check(kind, '', names)
  const others = results.filter(({ verdict }) => verdict !== 'passed')
  expect(others.map((result) => `${result.case}: ${result.cause}`)).toEqual([])
})

test.for(KIND_FAULTS)('a shop "%s" that %s fails %s with the cause %s', async (planted) => {
  const [kind, fault, name, cause] = planted
  const { results, causes } = await check(kind, fault, [name])
  expect(results.map((result) => [result.case, result.verdict])).toEqual([[name, 'failed']])
  expect(causes.map((group) => group.cause)).toEqual([cause])
})
