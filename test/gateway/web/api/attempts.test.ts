import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../../../mock-gateway/contract/wire.ts'
import { CARD, MERCHANT, payment } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const OTHER = { id: 2, password: 'password 2', secret: 'secret 2' }

const shop = await sharedGateway({ merchants: [MERCHANT, OTHER] })

let attempts = 0
const attempt = () => `a${String(++attempts).padStart(31, '0')}`

const pay = (mondido_attempt: string, over = {}) =>
  shop.browser.post('/v1/transactions', payment({ merchant_id: 1, mondido_attempt, ...over }))
const ask = (mondido_attempt: string, query: Record<string, string> = {}) =>
  shop.browser.get<{ state: string; transaction?: object; error?: object }>(
    `/v1/attempts/${mondido_attempt}`,
    { merchant_id: '1', ...query },
  )

describe('the result of an attempt', () => {
  test('does not show the merchant’s refunds to the payer', async () => {
    const id = attempt()
    const { body } = await pay(id)
    await shop.post('/v1/refunds', { transaction_id: body.id, amount: '1.00', reason: 'Late' })
    const { transaction } = (await ask(id)).body
    const { log_events = [] } = transaction as Partial<Transaction>
    expect(log_events.map(({ data: { by, ip } }) => [by, ip])).toEqual([
      ['payer', '127.0.0.1'],
      ['payer', '127.0.0.1'],
      ['merchant', undefined],
    ])
  })

  test('is the transaction that was paid', async () => {
    const id = attempt()
    const paid = await pay(id)
    const { status, body } = await ask(id)
    expect({ status, body }).toEqual({
      status: 200,
      body: { state: 'done', transaction: paid.body },
    })
  })

  test('is the error of a declined payment, in the requested language', async () => {
    const id = attempt()
    const declined = await pay(id, { card_cvv: '201' })
    expect((await ask(id)).body).toEqual({ state: 'done', error: declined.body })
    expect((await ask(id, { locale: 'en' })).body.error).toMatchObject({
      description: 'Payment declined',
    })
  })

  test('is unknown if no payment was made', async () => {
    const id = attempt()
    await pay(id, { card_number: '1' })
    expect((await ask(id)).body).toEqual({ state: 'unknown' })
  })

  for (const [what, id, query] of [
    ['was never made', 'f'.repeat(32), {}],
    ['is requested as another merchant', 'asked-as-another-merchant', { merchant_id: '2' }],
    ['is requested without a merchant', 'asked-without-a-merchant', { merchant_id: '' }],
    ['is requested as an unknown merchant', 'asked-as-nobody-at-all', { merchant_id: '999' }],
  ] as const)
    test(`is unknown if it ${what}`, async () => {
      if (what !== 'was never made') await pay(id)
      expect((await ask(id, query)).body).toEqual({ state: 'unknown' })
    })

  test('can be read by a script of any page, without credentials', async () => {
    const { headers } = await ask(attempt())
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })
})

describe('an attempt that a browser repeats', () => {
  const again = (over: Record<string, string>) => {
    const fields = payment({ merchant_id: 1, mondido_attempt: attempt(), ...over })
    const send = (more = {}) => shop.browser.post('/v1/transactions', { ...fields, ...more })
    return { send, fields }
  }

  test('gets its payment, and no second one', async () => {
    const { send } = again({})
    const answers = [await send(), await send()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[1]?.body).toEqual(answers[0]?.body)
  })

  test('gets the rejection again', async () => {
    const { send } = again({ card_cvv: '201' })
    const answers = [await send(), await send()]
    expect(answers[1]?.body).toMatchObject({ code: 129 })
    expect(answers[1]?.body).toEqual(answers[0]?.body)
  })

  test('gets the prepared transaction with its current state, and no second one', async () => {
    const { send } = again({
      process: 'false',
      success_url: 'https://shop.example/a',
      error_url: 'https://shop.example/b',
    })
    const { body } = await send()
    expect((await send()).body).toEqual(body)
    await shop.put(`/v1/transactions/${body.id}`, CARD)
    const { status, body: after } = await send()
    expect({ status, id: after.id, became: after.status }).toEqual({
      status: 200,
      id: body.id,
      became: 'approved',
    })
  })

  test('gets its first answer even if another attempt has paid the order', async () => {
    const { send, fields } = again({ card_cvv: '201' })
    const { body } = await send()
    await shop.post('/v1/transactions', { ...payment(), payment_ref: fields.payment_ref })
    expect((await send()).body).toEqual(body)
  })

  test('is rejected with error 146 if its payment_ref differs from the first request', async () => {
    const { send } = again({})
    await send()
    const { body, headers } = await send({ payment_ref: payment().payment_ref })
    expect(body.code).toBe(146)
    expect(headers.get('mondido-explain')).toContain('mondido_attempt')
  })

  test('is rejected with error 146 if its amount differs from the first request', async () => {
    const { send } = again({})
    await send()
    expect((await send({ amount: '11.00' })).body).toMatchObject({ code: 146 })
  })
})
