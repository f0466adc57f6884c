import { expect } from 'vitest'
import { type HeldRow, row, type Section } from './rows.ts'

/** Specification: Currencies, in its order. */
const CURRENCIES =
  'SEK CAD CNY COP CZK DKK HKD HUF ISK INR ILS JPY KES KRW KWD LVL MYR MXN MAD OMR NZD NOK PAB QAR RUB SAR SGD ZAR CHF THB TTD AED GBP USD TWD VEF RON TRY EUR UAH PLN BRL'

export const CURRENCY_SECTION: Section = {
  title: 'Currencies',
  rows: CURRENCIES.split(' ').map((code) =>
    row(`${code} pays in either case and is answered in lower case`, async ({ pay }) => {
      for (const currency of [code, code.toLowerCase()])
        expect((await pay({ currency })).body).toMatchObject({ status: 'approved', currency: code.toLowerCase() })
    }),
  ),
}

/** Specification: Card types, in its order. */
const TYPES =
  'visa mastercard maestro electron debit_mastercard visa_debit laser solo amex diners uk_maestro jcb ukash_neo discover stored_card'

export const CARD_TYPE_SECTION: Section = {
  title: 'Card types',
  rows: [
    ...TYPES.split(' ').map((type) => row(`${type} is sent by name, such as ${type.toUpperCase()}`, sendsType(type))),
    row('Visa and Mastercard are available by default', async ({ pay }) => {
      for (const [card_number, card_type] of [
        ['4012888888881881', 'VISA'],
        ['5555555555554444', 'MASTERCARD'],
      ])
        expect((await pay({ card_number })).body).toMatchObject({ status: 'approved', card_type })
    }),
  ],
}

/** The number decides which brand is answered. */
function sendsType(type: string): HeldRow['holds'] {
  return async ({ pay, paid, storedCard }) => {
    const isToken = type === 'stored_card'
    const answer = await pay({ card_type: type.toUpperCase(), ...(isToken ? { card_number: storedCard.token } : {}) })
    expect(answer.body).toMatchObject({ status: 'approved', card_type: isToken ? 'STORED_CARD' : paid.card_type })
  }
}
