import { expect } from 'vitest'
import { CATALOGUE } from '../../../mock-gateway/domain/errors/catalogue.ts'
import { payment, prepared } from '../../helpers/gateway.ts'
import { CALLS } from '../errors/provocations.ts'
import { cardOf, payerAt, windowMessage } from '../three-d-secure/payer.ts'
import { row, type Section } from './rows.ts'
import { LASTING, NEIGHBOUR } from './world.ts'

/**
 * Some errors that the gateway itself causes. `test/gateway/errors` checks all errors in both
 * languages.
 */
export const ERRORS: Section = {
  title: 'Errors',
  rows: [
    row('a failed call answers HTTP 40x with name, code and description', async ({ get }) => {
      const { status, body } = await get('/v1/transactions/999999', { locale: 'en' })
      expect([status, body]).toEqual([
        404,
        { name: 'errors.transaction.not_found', code: 128, description: 'Transaction not found' },
      ])
    }),
    row('description is in the chosen locale', async ({ get }) => {
      expect((await get('/v1/transactions/999999', { locale: 'sv' })).body.description).toBe(
        'Transaktionen hittades inte',
      )
    }),
    row(
      '1280 errors.transaction.timeout: the payment resource has expired',
      async ({ as, browser, gateway }) => {
        const { href } = (await as(LASTING).post('/v1/transactions', prepared())).body
        await gateway.clock.advance({ seconds: 90 * 60 }, { merchant: LASTING.id })
        const { status, body } = await browser.get<string>(new URL(href).pathname)
        expect([status, body]).toEqual([
          410,
          expect.stringContaining('data-error="errors.transaction.timeout"'),
        ])
      },
    ),
    row('1290 errors.payment.canceled', async ({ prepare, browser }) => {
      const { href } = (await prepare()).body
      const { headers } = await browser.send('POST', new URL(href).pathname, 'action=cancel')
      expect(headers.get('location')).toContain('error_name=errors.payment.canceled')
    }),
    row('1290 errors.payment.failed', async ({ failed }) =>
      expect(failed.error).toMatchObject({ code: 1290, name: 'errors.payment.failed' }),
    ),
    row('169 errors.mpi.not_approved', async (world) => {
      const { address } = await payerAt(world).pay({ card_number: cardOf(2) })
      expect(address).toContain('error_name=errors.mpi.not_approved')
      const id = new URL(address).searchParams.get('transaction_id')
      expect((await world.get(`/v1/transactions/${id}`)).body.error).toMatchObject({ code: 169 })
    }),
    row('1691 errors.mpi.disabled', async ({ as }) => {
      const { body } = await as(NEIGHBOUR).post(
        '/v1/transactions',
        payment({ ref: 'f'.repeat(32) }),
      )
      expect(body).toMatchObject({ code: 1691, name: 'errors.mpi.disabled' })
    }),
    row('4 errors.provider_ref.processed', async (world) => {
      const order = payment({ card_number: cardOf(1), card_cvv: '201' })
      const { message } = windowMessage((await payerAt(world).openWindow(order)).html)
      const { mpi_ref: ref, eci, provider_ref } = message as Readonly<Record<string, string>>
      const pay = () => world.create({ ...order, ref, eci, provider_ref })
      expect([(await pay()).body.code, (await pay()).body.code]).toEqual([129, 4])
    }),
    ...CATALOGUE.flatMap(({ code, name, http, en }) => {
      const call = CALLS[name]
      if (!call) return []
      return row(`${code} ${name}`, async ({ errors }) => {
        const { status, body } = await call(errors)
        // A payer gets a page with the error instead of JSON.
        const said =
          typeof body === 'string' ? expect.stringContaining(en) : { name, code, description: en }
        expect([status, body]).toEqual([http, said])
      })
    }),
  ],
}
