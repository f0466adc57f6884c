import { expect } from 'vitest'
import { CARD, payment } from '../../helpers/gateway.ts'
import { invoice } from '../payment-methods/fields.ts'
import { row, type Section } from './rows.ts'
import { STORABLE } from './world.ts'

const SLOW_CAPTURE = payment({
  authorize: true,
  'metadata[service_instructions][capture][seconds]': 60,
})

export const STATES: Section = {
  title: 'States and transitions',
  rows: [
    row('pending: created, no payment information collected yet', ({ pending }) =>
      expect(pending.status).toBe('pending'),
    ),
    row(
      'pending is also the status after the payment window is loaded',
      async ({ prepare, get }) => {
        const { id, href } = (await prepare()).body
        await get(new URL(href).pathname)
        expect((await get(`/v1/transactions/${id}`)).body.status).toBe('pending')
      },
    ),
    row(
      '3ds pending: created, waiting for 3-D Secure verification',
      async ({ prepare, browser, get }) => {
        const { id, href } = (await prepare()).body
        await browser.post(new URL(href).pathname, {
          ...CARD,
          card_number: '4000000000001091',
          hash: undefined,
        })
        expect((await get(`/v1/transactions/${id}`)).body.status).toBe('3ds pending')
      },
    ),
    row(
      'authorized: being processed; money reserved or credit check done',
      async ({ authorized, create }) => {
        expect(authorized.status).toBe('authorized')
        expect((await create(invoice())).body.status).toBe('authorized')
      },
    ),
    row(
      'capture pending: authorized; a capture call is transferring money',
      async ({ create, put }) => {
        const { id } = (await create(SLOW_CAPTURE)).body
        expect((await put(`/v1/transactions/${id}/capture`, { amount: '10.00' })).body.status).toBe(
          'capture pending',
        )
      },
    ),
    row('approved: finalized, money captured or transferred', ({ paid, captured }) =>
      expect([paid.status, captured.status]).toEqual(['approved', 'approved']),
    ),
    row('declined: declined by bank or payment institute', async ({ declined, create, get }) => {
      expect(declined.status).toBe('declined')
      await create(invoice({ personal_number: '199610202385' }, { payment_ref: 'no-credit' }))
      expect(
        (await get<object[]>('/v1/transactions', { 'filter[payment_ref]': 'no-credit' })).body,
      ).toMatchObject([{ status: 'declined' }])
    }),
    row('failed: failed, often for temporary technical reasons', async ({ pay, get }) => {
      await pay({
        payment_ref: 'fails-1',
        'metadata[service_instructions][fail_as_code]': 'errors.payment.failed',
      })
      expect(
        (await get<object[]>('/v1/transactions', { 'filter[payment_ref]': 'fails-1' })).body,
      ).toMatchObject([{ status: 'failed' }])
    }),
    row('a stored card is active, then cancelled', async ({ post, send }) => {
      const { id, status } = (await post('/v1/stored_cards', STORABLE)).body
      expect(status).toBe('active')
      expect((await send('DELETE', `/v1/stored_cards/${id}`)).body.status).toBe('cancelled')
    }),
    row('a plan is active, then cancelled', async ({ post, send }) => {
      const { id, status } = (
        await post('/v1/plans', {
          name: 'A',
          interval: 1,
          interval_unit: 'days',
          prices: '{"sek":"1.00"}',
        })
      ).body
      expect(status).toBe('active')
      expect((await send('DELETE', `/v1/plans/${id}`)).body.status).toBe('cancelled')
    }),
    row('a subscription is active, then cancelled', async ({ post, put, plan, storedCard }) => {
      const { id, status } = (
        await post('/v1/subscriptions', { plan_id: plan.id, stored_card_id: storedCard.id })
      ).body
      expect(status).toBe('active')
      expect((await put(`/v1/subscriptions/${id}`, { status: 'cancelled' })).body.status).toBe(
        'cancelled',
      )
    }),
    row(
      '(none) -> pending by a create with process=false; the response carries href',
      ({ pending }) =>
        expect(pending).toMatchObject({ status: 'pending', href: expect.stringMatching(/^http/) }),
    ),
    row(
      '(none) -> approved by a create with full valid card data; cost and card fields filled in',
      ({ paid }) =>
        expect(paid).toMatchObject({
          status: 'approved',
          cost: { total: '0.275' },
          card_holder: CARD.card_holder,
        }),
    ),
    row(
      'a transaction can be updated only while its status is not approved',
      async ({ put, paid, pending }) => {
        expect(
          (await put(`/v1/transactions/${pending.id}`, { vat_amount: '1.00', process: false })).body
            .vat_amount,
        ).toBe('1.00')
        expect(
          (await put(`/v1/transactions/${paid.id}`, { vat_amount: '1.00', process: false })).body
            .code,
        ).toBe(153)
      },
    ),
    row('metadata can be merged into an already processed transaction', async ({ pay, put }) => {
      const { id } = (await pay({ metadata: '{"a":1}' })).body
      expect(
        (await put(`/v1/transactions/${id}`, { metadata: '{"b":2}', process: false })).body
          .metadata,
      ).toEqual({ a: 1, b: 2 })
    }),
    row('a capture requires a previously authorized transaction', async ({ put, pending }) => {
      expect(
        (await put(`/v1/transactions/${pending.id}/capture`, { amount: '10.00' })).body.code,
      ).toBe(155)
    }),
  ],
}
