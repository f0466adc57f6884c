import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../../../mock-gateway/contract/wire.ts'
import { MERCHANT, payment, startGateway } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { newCard, newPlan, newSubscription } from '../../subscriptions/new-subscription.ts'
import { consoleOf, loggedIn, textOf } from './client.ts'

const RIVAL = { ...MERCHANT, id: 2 }

const shop = await sharedGateway({ merchants: [MERCHANT, RIVAL], control: 'a-key-of-our-own' })
const client = await loggedIn(shop.gateway)
const rival = await loggedIn(shop.gateway, 2)

/** Returns the forms of coming charges, by the time to which each moves the clock. */
const chargesIn = (html: string) =>
  [...html.matchAll(/name="at" value="([^"]+)"/g)].map(([, at]) => at ?? '')

/**
 * Makes the next coming charge with its button.
 * @returns the page after it
 */
async function chargeNext(id: number, outcome = '') {
  const [at] = chargesIn((await client.get(`/1/subscriptions/${id}`)).html)
  return client.post(`/1/subscriptions/${id}/charge`, { at, outcome })
}

const paymentsOf = async (id: number) =>
  (
    await shop.get<Transaction[]>('/v1/transactions', { 'filter[subscription_id]': id, limit: 100 })
  ).body
    .toReversed()
    .map(({ created_at, status }) => `${created_at} ${status}`)

describe('a subscription', () => {
  test.each([
    ['0137', 'errors.payment.declined', 'a declined charge'],
    ['0237', 'errors.card.expired', 'an expired card'],
  ])(
    'with a card of %s: its declined charge explains the expiry and names the next attempt',
    async (card_expiry, error, meaning) => {
      const { id } = await newSubscription(shop, {
        stored_card_id: (await newCard(shop, { card_expiry })).id,
      })
      await chargeNext(id)
      const [charge] = (
        await shop.get<Transaction[]>('/v1/transactions', { 'filter[subscription_id]': id })
      ).body
      const { html } = await client.get(`/1/transactions/${charge?.id}`)
      const text = textOf(html)
      expect(text).toContain(`In test mode the expiry of this stored card means ${meaning}.`)
      expect(text).toMatch(
        new RegExp(
          `Error \\d+ ?, ${error.replaceAll('.', '\\.')} ?\\. The next attempt to charge subscription ${id} is on 20[-\\d]+ \\(dunning\\)\\.`,
        ),
      )
      expect(text).not.toContain('The payer can try again')
      expect(html).toContain(`href="/console/1/subscriptions/${id}"`)
      for (const path of [`/1/subscriptions/${id}`, '/1/subscriptions'])
        expect(textOf((await client.get(path)).html)).toMatch(
          /99\.00 SEK (every month active unpaid|active unpaid .* Monthly)/,
        )
      await client.post(`/1/subscriptions/${id}/cancel`)
      expect(textOf((await client.get(`/1/subscriptions/${id}`)).html)).not.toContain('unpaid')
      expect(textOf((await client.get(`/1/transactions/${charge?.id}`)).html)).toContain(
        `The gateway does not charge subscription ${id} again: it is cancelled.`,
      )
    },
  )

  test('gets five charges with clicks, the third declined by choice and retried, each on its date', async () => {
    const [{ id: plan_id }, { id: stored_card_id }] = [
      await newPlan(shop, { periods: 5 }),
      await newCard(shop),
    ]
    const { body } = await shop.post('/v1/subscriptions', {
      plan_id,
      stored_card_id,
      start_date: '2026-03-31',
    })
    const { id } = body
    const before = await client.get(`/1/subscriptions/${id}`)
    expect(chargesIn(before.html).map((at) => at.slice(0, 10))).toEqual([
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
      '2026-06-30',
      '2026-07-31',
    ])
    expect(textOf(before.html)).toContain('All charges, if each is paid')
    expect(textOf(before.html)).toMatch(/Plan .* Customer .* Card Visa 1111 Next charge 2026-03-31/)
    expect(before.html).toContain(`href="/console/1/plans/${plan_id}"`)
    expect(before.html).toContain(`href="/console/1/stored_cards/${stored_card_id}"`)

    await chargeNext(id)
    const second = textOf((await chargeNext(id, 'approved')).html)
    expect(second).toContain('to 2026-04-30 00:00:00 UTC. 1 event happened.')
    const third = await chargeNext(id, 'errors.payment.declined')
    expect(textOf(third.html)).toContain(
      'One attempt to charge the period of 2026-05-31 failed. Attempt 2 is on 2026-06-01 00:00:00 UTC.',
    )
    expect(textOf(third.html)).toMatch(
      /2026-05-31 00:00:00 2026-05-31 1 99\.00 SEK declined Payment declined /,
    )
    expect(third.html).toMatch(/<a href="\/console\/1\/transactions\/\d+">2026-05-31<\/a>/)
    expect(third.html).not.toContain('Later charges')
    expect(chargesIn(third.html).map((at) => at.slice(0, 10))).toEqual([
      '2026-06-01',
      '2026-06-30',
      '2026-07-31',
    ])
    await chargeNext(id)
    await chargeNext(id)
    const last = textOf((await chargeNext(id)).html)
    expect(last).toContain(
      'No more charges: the subscription is cancelled, or every period is paid.',
    )
    expect(await paymentsOf(id)).toEqual([
      '2026-03-31T00:00:00Z approved',
      '2026-04-30T00:00:00Z approved',
      '2026-05-31T00:00:00Z declined',
      '2026-06-01T00:00:00Z approved',
      '2026-06-30T00:00:00Z approved',
      '2026-07-31T00:00:00Z approved',
    ])
    expect((await shop.get(`/v1/subscriptions/${id}`)).body).toMatchObject({
      status: 'cancelled',
      period_count: 5,
    })
  })

  test('has the chosen result for that charge only, whatever else is pending or due', async () => {
    const [one, other] = [await newSubscription(shop), await newSubscription(shop)]
    await client.post('/1/controls/payments.force', { outcome: 'errors.card.expired' })
    const [, , at] = chargesIn((await client.get(`/1/subscriptions/${other.id}`)).html)
    const { html } = await client.post(`/1/subscriptions/${other.id}/charge`, {
      at,
      outcome: 'errors.payment.declined',
    })
    const statuses = async (id: number) => (await paymentsOf(id)).map((line) => line.split(' ')[1])
    // The pending outcome affects the first charge, which is retried a day later.
    expect(await statuses(one.id)).toEqual(['failed', 'approved', 'approved', 'approved'])
    expect(await statuses(other.id)).toEqual(['approved', 'approved', 'declined'])
    expect(textOf(html)).toContain('7 events happened.')
    expect(textOf(html)).toContain('declined 99.00 sek')
  })

  test('shows the payment that it started with, and a debt in the next amount only', async () => {
    const { id: plan_id } = await newPlan(shop)
    const { body } = await shop.post('/v1/transactions', payment({ plan_id, amount: '99.00' }))
    const { id } = body.subscription as { id: number }
    await shop.put(`/v1/subscriptions/${id}`, { debt: '-120.00' })
    const text = textOf((await client.get(`/1/subscriptions/${id}`)).html)
    expect(text).toMatch(/first payment 99\.00 SEK approved/)
    expect(text).toMatch(
      /-21\.00 SEK nothing to charge .* 78\.00 SEK Charge now .* 99\.00 SEK Charge now/,
    )
    expect(text).toContain('The next 12 charges')
    expect(text.indexOf('Later charges')).toBeGreaterThan(text.indexOf('78.00 SEK Charge now'))
  })

  test('is charged only on its dates, and is cancelled as before', async () => {
    const { id } = await newSubscription(shop)
    const { status, html } = await client.post(`/1/subscriptions/${id}/charge`, {
      at: '2030-01-01',
      outcome: '',
    })
    expect(status).toBe(400)
    expect(textOf(html)).toContain('This subscription has no pending charge at this time')
    const [at] = chargesIn((await client.get(`/1/subscriptions/${id}`)).html)
    expect(
      (await client.post(`/1/subscriptions/${id}/charge`, { at, outcome: 'errors.none' })).status,
    ).toBe(400)
    const cancelled = await client.post(`/1/subscriptions/${id}/cancel`)
    expect(cancelled.to).toBe(`/console/1/subscriptions/${id}?done=cancelled`)
    expect(chargesIn((await client.get(`/1/subscriptions/${id}`)).html)).toEqual([])
    expect((await client.post(`/1/subscriptions/${id}/charge`, { at, outcome: '' })).status).toBe(
      400,
    )
  })

  test('of another merchant is neither shown nor charged (attack 116, idor-console)', async () => {
    const { id } = await newSubscription(shop)
    const [at] = chargesIn((await client.get(`/1/subscriptions/${id}`)).html)
    for (const whose of [1, 2]) {
      expect((await rival.get(`/${whose}/subscriptions/${id}`)).status).toBe(404)
      expect(
        (await rival.post(`/${whose}/subscriptions/${id}/charge`, { at, outcome: '' })).status,
      ).toBe(404)
    }
    expect(await paymentsOf(id)).toEqual([])
  })

  test('uses the result of the next payments if no result is chosen, as its page explains', async () => {
    const { id } = await newSubscription(shop)
    expect((await client.get(`/1/subscriptions/${id}`)).html).toContain(
      'Without a choice, <a href="/console/1/controls#next-results">',
    )
    await client.post('/1/controls/payments.force', { outcome: 'errors.payment.failed', times: 1 })
    expect(textOf((await chargeNext(id)).html)).toContain('Payment failed')
  })

  test('shows its next charges without forms if the control API is off', async () => {
    const alone = await startGateway({ control: false })
    const visitor = consoleOf(alone.gateway)
    await visitor.logIn(1, MERCHANT.password)
    const { id } = await newSubscription(alone)
    const { html } = await visitor.get(`/1/subscriptions/${id}`)
    expect(textOf(html)).toContain('2026-03-15 12:00:00 2026-03-15 1 99.00 SEK 2026-04-15 12:00:00')
    expect(html).not.toContain('/charge"')
    const sent = { at: '2026-03-15T12:00:00.000Z', outcome: '' }
    expect((await visitor.post(`/1/subscriptions/${id}/charge`, sent)).status).toBe(404)
    await alone.close()
  })
})
