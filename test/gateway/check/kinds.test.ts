/**
 * Tests of the check with shops of other architectures: correct shops pass, and each planted fault
 * is found by a case, with its cause.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readPlan } from '../../../mock-gateway/check/plan.ts'
import { runCheck } from '../../../mock-gateway/check/run.ts'
import { type RunningGateway, runGateway } from '../../../mock-gateway/cli.ts'
import { KIND_FAULTS, KIND_PLANS, type ShopKind, startKindShop } from './kinds.ts'
import { createManualTime } from './manual-time.ts'

let gateway: RunningGateway
let shop: Awaited<ReturnType<typeof startKindShop>> | undefined
beforeAll(async () => {
  gateway = await runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, () => {})
})
afterEach(() => shop?.close())
afterAll(() => gateway.close())

async function check(kind: ShopKind, fault: string, only: readonly string[]) {
  const time = createManualTime()
  shop = await startKindShop(gateway.addresses.base, gateway.merchant, kind, fault, time)
  const plan = readPlan(JSON.stringify(KIND_PLANS[kind]), shop.url, gateway.url)
  const { url, control, merchant } = gateway
  const checked = { url, controlKey: control.key ?? '', merchant }
  return runCheck(checked, plan, { only, time })
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
