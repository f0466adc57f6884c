import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MERCHANT, payment, startGateway, type TestGateway } from '../../../helpers/gateway.ts'
import { type ConsoleClient, consoleOf, textOf } from './client.ts'

const RIVAL = { ...MERCHANT, id: 2 }
const KEY = 'a-key-of-our-own'

let shop: TestGateway
let client: ConsoleClient
let administrator: ConsoleClient
beforeAll(async () => {
  shop = await startGateway({ merchants: [MERCHANT, RIVAL], control: KEY })
  client = consoleOf(shop.gateway)
  administrator = consoleOf(shop.gateway)
  await client.logIn(1, MERCHANT.password)
  await administrator.logIn('admin', KEY)
})
afterAll(() => shop.close())

const pays = async (merchant = MERCHANT) => {
  const { body } = await shop.as(merchant).post('/v1/transactions', payment())
  return body.name ?? body.status
}

describe('the next payments of a merchant', () => {
  test('are chosen in plain words', async () => {
    const { html } = await client.get('/1/next')
    const form = html.split('<form').find((each) => each.includes('>Decline the next as insufficient funds</button>'))
    const outcome = /name="outcome" value="([^"]*)"/.exec(form ?? '')?.[1] ?? ''
    await client.post('/1/next', { outcome })
    expect(textOf((await client.get('/1/next')).html)).toContain('errors.bankprovider.insufficient_funds 1')
    await client.post('/1/next/forget')
  })

  test('are answered as was chosen, in its order, and those of others are not', async () => {
    expect(textOf((await client.get('/1/next')).html)).toContain('No outcomes are set')
    const chosen = await client.post('/1/next', { outcome: 'errors.card.expired', times: '2' })
    expect(chosen).toMatchObject({ status: 303, to: '/console/1/next?done=waits' })
    await client.post('/1/next', { outcome: 'errors.payment.declined', times: '' })
    const { html } = await client.get('/1/next?done=waits')
    expect(textOf(html)).toMatch(/It waits now\. .* errors\.card\.expired 2 errors\.payment\.declined 1 /)
    expect(html).toContain('<option value="errors.card.expired">Card has expired</option>')
    expect([await pays(RIVAL), await pays(), await pays(), await pays(), await pays()]).toEqual([
      'approved',
      'errors.card.expired',
      'errors.card.expired',
      'errors.payment.declined',
      'approved',
    ])
  })

  test('are forgotten, its own alone', async () => {
    await client.post('/1/next', { outcome: 'errors.payment.declined' })
    await administrator.post('/next', { outcome: 'errors.card.expired', merchant_id: 2 })
    expect((await client.post('/1/next/forget')).to).toBe('/console/1/next?done=forgotten')
    expect([await pays(), await pays(RIVAL)]).toEqual(['approved', 'errors.card.expired'])
  })

  test('116 idor-console: are set for oneself, whoever the form names', async () => {
    await client.post('/1/next', { outcome: 'errors.payment.declined', merchant_id: 2 })
    expect([await pays(RIVAL), await pays()]).toEqual(['approved', 'errors.payment.declined'])
    expect((await client.post('/2/next', { outcome: 'errors.payment.declined' })).status).toBe(404)
    expect((await client.post('/next', { outcome: 'errors.payment.declined' })).status).toBe(404)
  })

  test('have outcomes that there are', async () => {
    const { status, html } = await client.post('/1/next', { outcome: 'errors.no.such' })
    expect(status).toBe(400)
    expect(textOf(html)).toContain('outcome must be approved, or an error by its name or number')
  })
})

test('the administrator chooses for one merchant, or for whoever pays first', async () => {
  await administrator.post('/next', { outcome: '129', merchant_id: '' })
  await administrator.post('/next', { outcome: 'errors.card.expired', merchant_id: 2 })
  const text = textOf((await administrator.get('/next')).html)
  expect(text).toContain('errors.payment.declined 1 all errors.card.expired 1 2')
  expect([await pays(), await pays(RIVAL)]).toEqual(['errors.payment.declined', 'errors.card.expired'])
  await administrator.post('/next', { outcome: 'errors.payment.declined' })
  await administrator.post('/next/forget')
  expect(await pays()).toBe('approved')
})
