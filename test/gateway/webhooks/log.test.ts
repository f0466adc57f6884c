import pino from 'pino'
import { expect, test } from 'vitest'
import { openTestShop } from './shop.ts'

interface Line {
  readonly webhook?: Readonly<Record<string, unknown>>
}

const lines: Line[] = []
const logger = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })

const attempts = async (count: number) => {
  const told = () => lines.flatMap(({ webhook }) => webhook ?? [])
  await expect.poll(told).toHaveLength(count)
  return told()
}

test('every attempt has a log line with target, answer, duration and next attempt, without secrets of the target', async () => {
  const shop = await openTestShop({ logger })
  shop.sink.answer(500, 404)
  const { id } = await shop.pay({ url: `${shop.sink.url}?key=s3cr3t&t0k3n` })
  const [first] = await attempts(1)
  const [delivery] = await shop.deliveries()
  const next_try = new Date(delivery?.due_at ?? 0).toISOString()
  expect(first).toEqual({
    delivery_id: delivery?.id,
    transaction_id: id,
    trigger: 'payment',
    target: `${shop.sink.url}?key=***&***`,
    attempt: 1,
    outcome: 'retry',
    status: 500,
    error: null,
    explain: 'Status 500. The handler failed. See the log of the shop.',
    duration_ms: expect.any(Number),
    next_try,
  })
  await shop.gateway.clock.advance({ until: 'next event' })
  const [, second] = await attempts(2)
  expect(second).toMatchObject({ attempt: 2, outcome: 'failed', status: 404, next_try: null })
  expect(JSON.stringify(lines)).not.toMatch(/s3cr3t|t0k3n/)
})
