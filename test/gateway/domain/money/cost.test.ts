import { describe, expect, test } from 'vitest'
import { costOf, NO_FEES } from '../../../../mock-gateway/domain/money/cost.ts'
import { hundredths } from '../../../../mock-gateway/domain/money/money.ts'

describe('the cost of a payment', () => {
  test('a payment in another currency than the account has an exchange fee', () => {
    expect(costOf(7, hundredths(1000), 'eur', 'sek')).toEqual({
      id: 7,
      percentual_fee: '0.025',
      fixed_fee: '0.025',
      percentual_exchange_fee: '0.035',
      vat_rate: '0',
      total: '0.625',
    })
  })

  test('a payment in the currency of the account has no exchange fee', () => {
    const { percentual_exchange_fee, total } = costOf(7, hundredths(1000), 'sek', 'sek')
    expect({ percentual_exchange_fee, total }).toEqual({
      percentual_exchange_fee: '0',
      total: '0.275',
    })
  })

  for (const [amount, total] of [
    [500, '0.325'],
    [100, '0.085'],
    [0, '0.025'],
    [1, '0.026'],
    [250, '0.175'],
    [125, '0.1'],
    [1625, '1'],
    [1666666666666622, '999999999999.998'],
    [1666666666666624, '999999999999.999'],
    [Number.MAX_SAFE_INTEGER, '5404319552844.62'],
  ] as const)
    test(`a payment of ${amount} hundredths in another currency costs ${total} in total`, () =>
      expect(costOf(7, hundredths(amount), 'eur', 'sek').total).toBe(total))

  test('is zero without fees, in any currency', () => {
    const { id, ...fees } = costOf(7, hundredths(1000), 'eur', 'sek', NO_FEES)
    expect({ id, fees: new Set(Object.values(fees)) }).toEqual({ id: 7, fees: new Set(['0']) })
  })

  test('uses the fees of the account', () => {
    const fees = { percentual: 10, fixed: 1500, exchange: 0, vatRate: 250 }
    expect(costOf(7, hundredths(10000), 'sek', 'sek', fees)).toEqual({
      id: 7,
      percentual_fee: '0.01',
      fixed_fee: '1.5',
      percentual_exchange_fee: '0',
      vat_rate: '0.25',
      total: '2.5',
    })
  })
})
