import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGateway, type Gateway, MACHINE } from '../../../../mock-gateway/gateway.ts'
import { encode, hashed, MERCHANT, payment } from '../../../helpers/gateway.ts'
import { fakeTimers, machineTimePasses } from '../../../helpers/machine-time.ts'

const warnings: { readonly blocked_ms?: number; readonly request_id?: string }[] = []
const logger = { info() {}, warn: (facts: object) => void warnings.push(facts), error() {} }

/**
 * Returns the total CPU time in milliseconds. System time is included, because such calls mostly
 * use system time.
 */
const milliseconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000

/** Milliseconds for which the next random bytes block the thread. */
let hold = 0
let gateway: Gateway
/** Runs the watchdog's timer, as the event loop does at this interval. */
const looks = () => void vi.advanceTimersByTime(200)

beforeEach(async () => {
  fakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  warnings.length = 0
  gateway = await createGateway({
    merchants: [MERCHANT],
    logger,
    ambient: {
      now: MACHINE.now,
      randomBytes(count) {
        const before = process.threadCpuUsage()
        while (milliseconds(process.threadCpuUsage(before)) < hold);
        hold = 0
        return MACHINE.randomBytes(count)
      },
    },
  })
})
afterEach(() => gateway.close())

const authorization = `Basic ${btoa(`${MERCHANT.id}:${MERCHANT.password}`)}`
const pay = () => {
  const body = new URLSearchParams(encode(hashed(payment(), MERCHANT)))
  const init = { method: 'POST', headers: { authorization }, body }
  return gateway.handle(new Request('http://localhost:4400/v1/transactions', init))
}
const health = () => gateway.handle(new Request('http://localhost:4400/health'))

test('blocking the thread for more than half a second is reported, with the request', async () => {
  await pay()
  hold = 600
  const [, slow] = await Promise.all([health(), pay(), health()])
  looks()
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toEqual({
    blocked_ms: expect.any(Number),
    request_id: slow.headers.get('x-request-id'),
    method: 'POST',
    route: '/v1/transactions',
    merchant_id: MERCHANT.id,
  })
  expect(warnings[0]?.blocked_ms).toBeGreaterThan(550)
})

test('a shorter block and a sleeping machine are not reported', async () => {
  await pay()
  looks()
  hold = 150
  await pay()
  machineTimePasses(900)
  looks()
  expect(warnings).toEqual([])
})
