import { describe, expect, test } from 'vitest'
import { NEXT_IN_WORDS } from '../../../../mock-gateway/web/console/controls/outcomes.ts'
import { MERCHANT, payment } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { loggedIn, textOf } from './client.ts'

const RIVAL = { ...MERCHANT, id: 2 }
const KEY = 'a-key-of-our-own'

const shop = await sharedGateway({ merchants: [MERCHANT, RIVAL], control: KEY })
const client = await loggedIn(shop.gateway)
const administrator = await loggedIn(shop.gateway, 'admin', KEY)

const pays = async (merchant = MERCHANT) => {
  const { body } = await shop.as(merchant).post('/v1/transactions', payment())
  return body.name ?? body.status
}

describe('the next payments of a merchant', () => {
  test('are set in plain words', async () => {
    const { html } = await client.get('/1/next')
    const form = html
      .split('<form')
      .find((each) => each.includes('>Fail: insufficient funds</button>'))
    const outcome = /name="outcome" value="([^"]*)"/.exec(form ?? '')?.[1] ?? ''
    await client.post('/1/next', { outcome })
    expect(textOf((await client.get('/1/next')).html)).toContain(
      'errors.bankprovider.insufficient_funds 1',
    )
    await client.post('/1/next/forget')
  })

  test('are called what they lead to: only errors.payment.declined declines a payment', () => {
    for (const [words, outcome] of Object.entries(NEXT_IN_WORDS))
      expect([outcome, words.startsWith('Decline')]).toEqual([
        outcome,
        outcome === 'errors.payment.declined',
      ])
  })

  test('get the chosen results in order, and payments of other merchants get no chosen result', async () => {
    expect(textOf((await client.get('/1/next')).html)).toContain('No outcomes are set')
    const chosen = await client.post('/1/next', { outcome: 'errors.card.expired', times: '2' })
    expect(chosen).toMatchObject({ status: 303, to: '/console/1/next?done=outcome_added' })
    await client.post('/1/next', { outcome: 'errors.payment.declined', times: '' })
    const { html } = await client.get('/1/next?done=outcome_added')
    expect(textOf(html)).toMatch(
      /The outcome was added\. .* errors\.card\.expired 2 errors\.payment\.declined 1 /,
    )
    expect(html).toContain('<option value="errors.card.expired">Card has expired</option>')
    expect([await pays(RIVAL), await pays(), await pays(), await pays(), await pays()]).toEqual([
      'approved',
      'errors.card.expired',
      'errors.card.expired',
      'errors.payment.declined',
      'approved',
    ])
  })

  test('are reset for one merchant only', async () => {
    await client.post('/1/next', { outcome: 'errors.payment.declined' })
    await administrator.post('/next', { outcome: 'errors.card.expired', merchant_id: 2 })
    expect((await client.post('/1/next/forget')).to).toBe('/console/1/next?done=outcomes_deleted')
    expect([await pays(), await pays(RIVAL)]).toEqual(['approved', 'errors.card.expired'])
  })

  test('apply to the logged-in merchant, whatever id the form has (attack 116, idor-console)', async () => {
    await client.post('/1/next', { outcome: 'errors.payment.declined', merchant_id: 2 })
    expect([await pays(RIVAL), await pays()]).toEqual(['approved', 'errors.payment.declined'])
    expect((await client.post('/2/next', { outcome: 'errors.payment.declined' })).status).toBe(404)
    expect((await client.post('/next', { outcome: 'errors.payment.declined' })).status).toBe(404)
  })

  test('pay with a wallet, and with a currency conversion', async () => {
    const currency_converter = '{"currency":"eur","rate":"0.0880"}'
    const { html } = await client.get('/1/next')
    expect(html).toContain('<option value="google_pay">Google Pay</option>')
    await client.post('/1/next', {
      outcome: 'approved',
      wallet_type: 'apple_pay',
      currency_converter,
    })
    expect(textOf((await client.get('/1/next')).html)).toContain(
      'approved 1 apple_pay {"currency":"eur","rate":"0.0880"}',
    )
    const { body } = await shop.post('/v1/transactions', payment())
    expect(body).toMatchObject({
      wallet_type: 'apple_pay',
      currency_converter: { chosen_currency: 'eur' },
    })
    const { to } = await client.post('/1/next', {
      outcome: 'approved',
      wallet_type: '',
      currency_converter: '',
    })
    expect(to).toBe('/console/1/next?done=outcome_added')
    await client.post('/1/next/forget')
  })

  test('offer the outcomes that the gateway supports', async () => {
    const { status, html } = await client.post('/1/next', { outcome: 'errors.no.such' })
    expect(status).toBe(400)
    expect(html).toMatch(
      /id="wrong-outcome"[^>]*>outcome must be approved, or the name or code of an error/,
    )
    expect(html).toContain('value="errors.no.such"')
  })

  test('show typed values as text (attack 30, console-stored-xss)', async () => {
    const { html } = await client.post('/1/next', {
      outcome: '"><img src=x>',
      times: '"><img src=x>',
    })
    expect(html).toContain('value="&quot;&gt;&lt;img src=x&gt;"')
    expect(html).not.toContain('<img')
  })
})

test('the administrator sets results for one merchant, or for the next payment of any merchant', async () => {
  await administrator.post('/next', { outcome: '129', merchant_id: '' })
  await administrator.post('/next', { outcome: 'errors.card.expired', merchant_id: 2 })
  const text = textOf((await administrator.get('/next')).html)
  expect(text).toContain('errors.payment.declined 1 all errors.card.expired 1 2')
  expect([await pays(), await pays(RIVAL)]).toEqual([
    'errors.payment.declined',
    'errors.card.expired',
  ])
  await administrator.post('/next', { outcome: 'errors.payment.declined' })
  await administrator.post('/next/forget')
  expect(await pays()).toBe('approved')
})

describe('the next captures of a merchant', () => {
  const reserved = async () =>
    (await shop.post('/v1/transactions', payment({ authorize: true }))).body.id
  const captured = async (id: number) =>
    (await shop.put(`/v1/transactions/${id}/capture`, { amount: '10.00' })).body.status

  test('have the chosen duration and result, which can be reset', async () => {
    const { html } = await client.get('/1/next_captures')
    expect(textOf(html)).toContain('No outcomes are set: captures are approved')
    expect(html).toContain('href="/console/1/next_captures" aria-current="page"')
    const asked = { outcome: 'approved', seconds: '3600', times: '1' }
    expect((await client.post('/1/next_captures', asked)).to).toBe(
      '/console/1/next_captures?done=outcome_added',
    )
    expect(textOf((await client.get('/1/next_captures')).html)).toContain('approved 3600 1')
    expect(textOf((await client.get('/1/next')).html)).toContain('No outcomes are set')
    expect([await captured(await reserved()), await captured(await reserved())]).toEqual([
      'capture pending',
      'approved',
    ])
    await client.post('/1/next_captures', asked)
    await client.post('/1/next_captures/forget')
    expect(await captured(await reserved())).toBe('approved')
  })

  test('are rejected with a reason next to the field, and cannot be set for another merchant', async () => {
    const { status, html } = await client.post('/1/next_captures', {
      outcome: 'approved',
      seconds: '0',
      times: '7',
    })
    expect(status).toBe(400)
    expect(html).toMatch(/id="wrong-seconds"[^>]*>seconds must be a whole number from 1/)
    expect(html).toContain('name="times" value="7"')
    expect((await client.post('/2/next_captures', { outcome: 'approved' })).status).toBe(404)
    expect((await client.post('/next_captures', { outcome: 'approved' })).status).toBe(404)
    await administrator.post('/next_captures', { outcome: '129', seconds: '5', merchant_id: 2 })
    expect(textOf((await administrator.get('/next_captures')).html)).toContain(
      'errors.payment.declined 5 1 2',
    )
    expect(await captured(await reserved())).toBe('approved')
  })
})
