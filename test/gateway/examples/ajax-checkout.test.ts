import { describe, expect, test } from 'vitest'
import { pays } from '../../../examples/shared/payment.ts'
import { startCheckout } from '../../helpers/checkout.ts'
import { share } from '../../helpers/shared.ts'

const MERCHANT = { id: 7, password: 'custom00', secret: 's3cr3t' }
const PAYMENT = { payment_ref: 'A100', amount: '10.00', currency: 'SEK', test: true }
const TRANSACTION = {
  id: 90,
  payment_ref: 'A100',
  amount: '10.00',
  currency: 'sek',
  status: 'approved',
  test: true,
  response_hash: '24722e3d8ce8c5e066d620a13db2dc28',
}

describe('the shop accepts a transaction as its payment', () => {
  test('only if hash, payment_ref, amount, currency, status and test flag are right', () => {
    expect(pays(TRANSACTION, PAYMENT, MERCHANT)).toBe(true)
  })

  test.each([
    ['another hash', { response_hash: '24722e3d8ce8c5e066d620a13db2dc29' }, PAYMENT],
    ['no hash', { response_hash: '' }, PAYMENT],
    ['a changed amount', { amount: '1.00' }, PAYMENT],
    ['a test payment for a live order', {}, { ...PAYMENT, test: false }],
    ['a changed status', { status: 'declined' }, PAYMENT],
    ['an order with another number', {}, { ...PAYMENT, payment_ref: 'A101' }],
    ['an order with another amount', {}, { ...PAYMENT, amount: '100.00' }],
    ['an order in another currency', {}, { ...PAYMENT, currency: 'EUR' }],
  ])('but not with %s', (_what, over, payment) => {
    expect(pays({ ...TRANSACTION, ...over }, payment, MERCHANT)).toBe(false)
  })
})

describe('the shop', async () => {
  const checkout = await share(startCheckout())

  const send = async (path: string, body?: unknown) => {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body ?? {}),
    }
    const answer = await fetch(checkout.shop.url + path, init)
    return { status: answer.status, body: (await answer.json()) as Record<string, string> }
  }
  const stateOf = async (ref: string) => {
    const answer = await fetch(`${checkout.shop.url}/orders/${ref}`)
    return ((await answer.json()) as { state: string }).state
  }
  /** Creates an order, and pays it like a browser. */
  const payOrder = async () => {
    const { body: order } = await send('/orders')
    const card = {
      card_holder: 'Kim',
      card_number: '4111111111111111',
      card_expiry: '1238',
      card_cvv: '200',
    }
    const body = new URLSearchParams({ ...order, ...card, card_type: 'VISA' })
    const answer = await fetch(`${checkout.gateway.url}/v1/transactions`, { method: 'POST', body })
    return { ref: order.payment_ref ?? '', transaction: await answer.json() }
  }

  test('never sends its secret or password to the page', async () => {
    const { secret, password } = checkout.gateway.merchant
    const page = await (await fetch(checkout.shop.url)).text()
    const { body } = await send('/orders')
    for (const text of [page, JSON.stringify(body)]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(password)
    }
  })

  test('accepts the result of its own payment', async () => {
    const { ref, transaction } = await payOrder()
    expect(await send(`/orders/${ref}/result`, transaction)).toMatchObject({
      status: 200,
      body: { state: 'paid' },
    })
  })

  test('gets a webhook about its payment', async () => {
    const { transaction } = await payOrder()
    const { id, password } = checkout.gateway.merchant
    const authorization = `Basic ${btoa(`${id}:${password}`)}`
    const address = `${checkout.gateway.url}/v1/transactions/${transaction.id}`
    const readWebhooks = async () =>
      (await (await fetch(address, { headers: { authorization } })).json()).webhooks
    await expect
      .poll(readWebhooks, { timeout: 20_000 })
      .toMatchObject([{ url: `${checkout.shop.url}/webhooks`, response: { code: 204 } }, {}])
  })

  test('asks the gateway if the page did not report the result', async () => {
    expect(await stateOf((await payOrder()).ref)).toBe('paid')
  })

  test.each([
    ['a payment of another order', (genuine: object) => genuine],
    [
      'an invented transaction',
      () => ({ id: 1, status: 'approved', response_hash: '0'.repeat(32) }),
    ],
    ['an id that is not a number', (genuine: object) => ({ ...genuine, id: '../customers' })],
    ['nothing', () => ({})],
  ])('rejects %s as the result of an order', async (_what, forge) => {
    const { transaction } = await payOrder()
    const ref = (await send('/orders')).body.payment_ref ?? ''
    expect((await send(`/orders/${ref}/result`, forge(transaction))).status).toBe(400)
    expect(await stateOf(ref)).toBe('open')
  })

  test('returns 404 for an unknown order', async () => {
    expect((await fetch(`${checkout.shop.url}/orders/NOSUCHORDER`)).status).toBe(404)
  })

  test('limits its pages to their own files, the library and the gateway', async () => {
    const policy = (await fetch(checkout.shop.url)).headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
  })
})
