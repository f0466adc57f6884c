import pino from 'pino'
import { expect, test } from 'vitest'
import { createLogger } from '../../../mock-gateway/cli/log.ts'
import { prepared, startGateway } from '../../helpers/gateway.ts'

const EVIL = 'a\r\n09:00:00 POST /v1/refunds 200\u001b[2J\u009b1A\u2028b'

test.each([
  ['on a terminal', true],
  ['in a file', false],
])('a client’s text never starts a line of its own in the log, %s', async (_where, onTerminal) => {
  const written: string[] = []
  const screen = { write: (text: string) => void written.push(text) }
  const shop = await startGateway({
    logger: onTerminal ? createLogger('info', screen) : pino({}, screen),
  })
  await shop.post(
    '/v1/transactions',
    prepared({ payment_ref: EVIL, customer_ref: EVIL, amount: EVIL }),
  )
  await shop.post('/v1/transactions', prepared({ hash: EVIL, payment_ref: EVIL, currency: EVIL }))
  await shop.get(`/v1/transactions/${encodeURIComponent(EVIL)}`, {
    order_by: EVIL,
    'filter[amount]': EVIL,
  })
  await shop.get('/v1/transactions', { extend: EVIL }, { 'user-agent': 'a\u009b1A' })
  await expect.poll(() => written).toHaveLength(4)
  await shop.close()
  for (const line of written) {
    expect(line.match(/\n/g)).toHaveLength(1)
    for (const character of ['\u001b[2J', '\u009b', '\u2028', '\r'])
      expect(line).not.toContain(character)
  }
})
