import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../../../mock-gateway/contract/wire.ts'
import { type Fields, MERCHANT, preparePage } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const OFFERING = {
  ...MERCHANT,
  id: 2,
  settings: {
    wallets: ['apple_pay' as const, 'google_pay' as const],
    three_d_secure: 'always' as const,
  },
}

const shop = await sharedGateway({ merchants: [MERCHANT, OFFERING] })

const offering = () => shop.as(OFFERING)
const prepare = async (over: Fields = {}, as = offering()) => (await preparePage(as, over)).path
const look = async (path: string, query = 'lang=en') =>
  (await shop.browser.get<string>(`${path}?${query}`)).body
const { submit: send } = shop.browser
const newest = async (as = offering()) =>
  (await as.get<Transaction[]>('/v1/transactions?limit=1')).body[0]
const WALLET = { payment_method: 'credit_card', wallet_type: 'apple_pay', wallet_card: 'visa' }

describe('a wallet', () => {
  test('pays with the chosen card without a challenge, and is shown in answers, log and receipt', async () => {
    const path = await prepare()
    expect((await send(path, WALLET)).headers.get('location')).toContain('status=approved')
    expect(await newest()).toMatchObject({
      status: 'approved',
      wallet_type: 'apple_pay',
      card_number: '411111******1111',
      mpi_ref: null,
      log_events: expect.arrayContaining([
        expect.objectContaining({
          data: expect.objectContaining({ event: 'charged', wallet_type: 'apple_pay' }),
        }),
      ]),
    })
    expect(await look(path)).toContain('<span class="quiet">Apple Pay</span>')
  })
})

describe('a currency conversion', () => {
  const currency_converter = { currency: 'eur', rate: '0.0880' }

  test.each(['eur', 'sek'])(
    'a conversion that metadata request appears in the answer and the receipt if the payer chose %s',
    async (chosen_currency) => {
      const metadata = {
        service_instructions: { currency_converter: { ...currency_converter, chosen_currency } },
      }
      const path = await prepare({ metadata: JSON.stringify(metadata) })
      await send(path, WALLET)
      expect(await newest()).toMatchObject({
        amount: '10.00',
        currency: 'sek',
        currency_converter: { amount: '0.88', ...currency_converter, chosen_currency },
      })
      expect((await look(path)).includes('<dd>€0.88</dd>')).toBe(chosen_currency === 'eur')
    },
  )
})
