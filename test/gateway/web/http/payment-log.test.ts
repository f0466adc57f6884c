import pino from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { CARD, hashed, MERCHANT, payment, prepared, URLS } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { hide } from '../../conformance/encrypt.ts'

interface Line {
  readonly route?: string
  readonly merchant_id: number
  readonly payment?: Readonly<Record<string, unknown>>
}

const lines: Line[] = []
const logger = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
const shop = await sharedGateway({ logger })
beforeEach(() => {
  lines.length = 0
})

const payments = async (count = 1) => {
  await expect.poll(() => lines.filter(({ payment }) => payment)).toHaveLength(count)
  return lines.flatMap(({ payment }) => payment ?? [])
}
const ORDER = { id: expect.any(Number), amount: '10.00', currency: 'sek' }

test.each([
  ['approved', {}, ['created', 'charged']],
  ['authorized', { authorize: true }, ['created', 'charged']],
  ['declined', { card_cvv: '201' }, ['created', 'charged']],
  ['pending', prepared(), ['created']],
])(
  'the line of a payment that ends %s has its id, payment_ref, amount and outcome',
  async (outcome, over, events) => {
    const payment_ref = `L-${outcome}`
    await shop.post('/v1/transactions', payment({ ...over, payment_ref }))
    expect(await payments()).toEqual([{ ...ORDER, payment_ref, outcome, events }])
  },
)

test('a capture, a refund, the payment page and a form have such a line, too', async () => {
  const { body } = await shop.post(
    '/v1/transactions',
    payment({ authorize: true, payment_ref: 'L2' }),
  )
  await shop.put(`/v1/transactions/${body.id}/capture`, { amount: '4.00' })
  await shop.post('/v1/refunds', { transaction_id: body.id, amount: '1.00', reason: 'Broken' })
  const page = await shop.post('/v1/transactions', prepared({ payment_ref: 'L3' }))
  await shop.browser.submit(new URL(page.body.href).pathname, CARD)
  await shop.browser.post('/v1/form', payment({ merchant_id: 1, ...URLS, payment_ref: 'L4' }))
  const [, captured, refunded, , paid, form] = await payments(6)
  expect(captured).toEqual({
    ...ORDER,
    id: body.id,
    payment_ref: 'L2',
    amount: '4.00',
    outcome: 'approved',
    events: ['captured'],
  })
  expect(refunded).toMatchObject({ id: body.id, outcome: 'approved', events: ['refunded'] })
  expect(paid).toMatchObject({ id: page.body.id, payment_ref: 'L3', outcome: 'approved' })
  expect(form).toMatchObject({ payment_ref: 'L4', outcome: 'approved' })
})

test('reading a payment writes no payment line, and encrypted values are not shown', async () => {
  const clear = hashed(payment({ payment_ref: 'secret-ref' }), MERCHANT)
  const { body } = await shop.post('/v1/transactions', hide(clear, 'payment_ref'))
  await shop.get(`/v1/transactions/${body.id}`)
  expect(await payments()).toMatchObject([{ id: body.id, payment_ref: '(encrypted)' }])
  await expect.poll(() => lines).toHaveLength(2)
  expect(JSON.stringify(lines)).not.toContain('secret-ref')
})
