import { describe, expect, test } from 'vitest'
import type { LogEvent } from '../../../mock-gateway/contract/wire.ts'
import { payment, URLS } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { cardOf, payerAt, queryOf, SCHEMES, throughBank, windowMessage } from './payer.ts'

const shop = await sharedGateway()

const OF_MASTERCARD = ['mastercard', 'maestro']

/**
 * Columns: case, trans status, ECI of Visa, ECI of Mastercard, CAVV, final status, error, and
 * whether the payer gets a challenge.
 */
// biome-ignore format: one case a row
const OUTCOMES = [
  [1, 'Y', '05', '02', true, 'approved', null, false],
  [2, 'N', '07', '00', false, 'declined', 'errors.mpi.not_approved', false],
  [3, 'A', '06', '01', true, 'approved', null, false],
  [4, 'U', '07', '00', false, 'approved', null, false],
  [5, 'R', '07', '00', false, 'declined', 'errors.mpi.not_approved', false],
  [6, 'U', '07', '00', false, 'approved', null, false],
  [7, null, '07', '00', false, 'failed', 'errors.mpi.invalid', false],
  [8, null, '07', '00', false, 'failed', 'errors.transaction.timeout', false],
  [9, null, '07', '00', false, 'approved', null, false],
  [10, 'Y', '05', '02', true, 'approved', null, true],
  [11, 'N', '07', '00', false, 'declined', 'errors.mpi.not_approved', true],
  [12, 'U', '07', '00', false, 'approved', null, true],
  [13, null, '07', '00', false, 'failed', 'errors.mpi.invalid', true],
  [14, null, '07', '00', false, 'failed', 'errors.transaction.timeout', true],
  [15, 'N', '07', '00', false, 'failed', 'errors.payment.canceled', true],
  [16, 'Y', '05', '02', true, 'approved', null, true],
  [17, 'Y', '05', '02', true, 'approved', null, true],
  [18, null, '07', '00', false, 'failed', 'errors.transaction.timeout', true],
  [19, null, '07', '00', false, 'failed', 'errors.mpi.disabled', false],
  [20, 'Y', '05', '02', true, 'approved', null, true],
] as const

test('case 20 gets a soft decline without a challenge, and then a challenge', async () => {
  const { address } = await throughBank(shop, await payerAt(shop).pay({ card_number: cardOf(20) }))
  const { body } = await shop.get(`/v1/transactions/${queryOf(address).transaction_id}`)
  expect(logged(body.log_events, 'soft_declined')).toHaveLength(1)
  expect(logged(body.log_events, 'authenticated')).toHaveLength(2)
})

describe.each(OUTCOMES)(
  'a payment with the card of case %i',
  (number, trans, visa, mastercard, cavv, ends, error, asked) => {
    for (const scheme of SCHEMES) {
      const facts = {
        trans_status: trans,
        eci: OF_MASTERCARD.includes(scheme) ? mastercard : visa,
        cavv: cavv ? expect.stringMatching(/^[A-Za-z0-9+/]{27}=$/) : null,
      }

      test(`of ${scheme} in the shop's form ends ${ends}, and the shop gets the result`, async () => {
        const { address, seen } = await throughBank(
          shop,
          await payerAt(shop).pay({ card_number: cardOf(number, scheme) }),
        )
        const query = queryOf(address)
        expect(address.split('?')[0]).toBe(error ? URLS.error_url : URLS.success_url)
        expect({ seen, error: query.error_name ?? null, status: query.status }).toEqual({
          seen: asked,
          error,
          status: ends,
        })
        const { body } = await shop.get(`/v1/transactions/${query.transaction_id}`)
        expect(body).toMatchObject({
          status: ends,
          response_hash: query.hash,
          mpi_ref: expect.stringMatching(/^[0-9a-f]{32}$/),
          payment_response: { three_d_secure: facts },
          error: error ? { name: error } : null,
        })
        expect(logged(body.log_events, 'authenticated').at(-1)).toMatchObject({
          mpi_ref: body.mpi_ref,
          three_d_secure: facts,
        })
      })

      test(`of ${scheme} in the library's window reports the authentication to the page, which pays with it`, async () => {
        const nonce = String(number).padStart(2, '0') + SCHEMES.indexOf(scheme) + 'a'.repeat(29)
        const order = {
          payment_ref: `mpi ${number} ${scheme}`,
          card_number: cardOf(number, scheme),
        }
        const { html, seen } = await throughBank(
          shop,
          await payerAt(shop).openWindow({ ...order, mpi_nonce: nonce }),
        )
        const { message, origin } = windowMessage(html)
        expect({ seen, origin }).toEqual({ seen: asked, origin: 'https://shop.example' })
        const status = await shop.browser.get(`/v1/mpi_js/${nonce}?merchant_id=1`)
        expect(status.body).toMatchObject({
          status: 'done',
          success: error === null,
          nonce,
          error,
        })
        if (error) return expect(message).toEqual({ event: 'mpi', success: false, nonce, error })
        const { mpi_ref, eci, provider_ref } = message
        expect(message).toEqual({
          event: 'mpi',
          success: true,
          mpi_ref: expect.stringMatching(/^[0-9a-f]{32}$/),
          eci: facts.eci,
          provider_ref: expect.stringMatching(/^sim_/),
          nonce,
        })
        const proof = {
          ref: String(mpi_ref),
          eci: String(eci),
          provider_ref: String(provider_ref),
        }
        const { body } = await shop.browser.post('/v1/transactions', {
          ...payment(order),
          merchant_id: 1,
          ...proof,
        })
        expect(body).toMatchObject({
          status: 'approved',
          mpi_ref,
          provider_ref,
          payment_response: { provider_ref, three_d_secure: facts },
        })
      })
    }
  },
)

const logged = (events: readonly LogEvent[], event: string) =>
  events.map(({ data }) => data as Record<string, unknown>).filter((data) => data.event === event)
