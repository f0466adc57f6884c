import { expect } from 'vitest'
import type { Fields } from '../../helpers/gateway.ts'
import { type HeldRow, row, type Section } from './rows.ts'
import type { World } from './world.ts'

/** Currencies in the order of the specification (Currencies). */
const CURRENCIES =
  'SEK CAD CNY COP CZK DKK HKD HUF ISK INR ILS JPY KES KRW KWD LVL MYR MXN MAD OMR NZD NOK PAB QAR RUB SAR SGD ZAR CHF THB TTD AED GBP USD TWD VEF RON TRY EUR UAH PLN BRL'

export const CURRENCY_SECTION: Section = {
  title: 'Currencies',
  rows: CURRENCIES.split(' ').map((code) =>
    row(`${code} pays in either case and is answered in lower case`, async ({ pay }) => {
      for (const currency of [code, code.toLowerCase()])
        expect((await pay({ currency })).body).toMatchObject({
          status: 'approved',
          currency: code.toLowerCase(),
        })
    }),
  ),
}

/** Card types in the order of the specification (Card types). */
const TYPES =
  'visa mastercard maestro electron debit_mastercard visa_debit laser solo amex diners uk_maestro jcb ukash_neo discover stored_card'

/**
 * One card of each type that the number determines. Types without a test number have another
 * number, with test=false.
 */
const CARDS: Readonly<Record<string, Fields>> = {
  visa: { card_number: '4012888888881881' },
  mastercard: { card_number: '5555555555554444' },
  maestro: { card_number: '6759000000001008' },
  electron: { card_number: '4917000000000004', test: false },
  laser: { card_number: '6304000000000000', test: false },
  solo: { card_number: '6334000000000004', test: false },
  amex: { card_number: '378282246310005' },
  diners: { card_number: '30569309025904' },
  uk_maestro: { card_number: '4903000000000000', test: false },
  jcb: { card_number: '3530111333300000' },
  discover: { card_number: '6011111111111117' },
}

export const CARD_TYPE_SECTION: Section = {
  title: 'Card types',
  rows: [
    ...TYPES.split(' ').map((type) =>
      row(`${type} is sent by name, such as ${type.toUpperCase()}`, sendsType(type)),
    ),
    row('Visa and Mastercard are available by default', async ({ pay }) => {
      for (const [card_number, card_type] of [
        ['4012888888881881', 'VISA'],
        ['5555555555554444', 'MASTERCARD'],
      ])
        expect((await pay({ card_number })).body).toMatchObject({ status: 'approved', card_type })
    }),
  ],
}

/**
 * Checks that the name of a type is accepted in upper and lower case, and a misspelt name is
 * rejected. If a number is sent, the number decides the type.
 */
function sendsType(type: string): HeldRow['holds'] {
  const name = type.toUpperCase()
  if (type === 'stored_card') return paysByToken
  return async ({ pay }) => {
    const card = CARDS[type]
    const answered = card ? name : 'VISA'
    for (const card_type of [name, type])
      expect((await pay({ ...card, card_type })).body).toMatchObject({
        status: 'approved',
        card_type: answered,
      })
    const other = name === 'VISA' ? 'MASTERCARD' : 'VISA'
    for (const card_type of card ? [other, undefined] : [])
      expect((await pay({ ...card, card_type })).body).toMatchObject({
        status: 'approved',
        card_type: answered,
      })
    expect((await pay({ ...card, card_type: `${name}S` })).body.code).toBe(121)
  }
}

/**
 * Checks that a token is accepted as card number only with this type, and that no other number is
 * accepted with it.
 */
async function paysByToken({ pay, storedCard }: World) {
  const card_number = storedCard.token
  for (const card_type of ['STORED_CARD', 'stored_card'])
    expect((await pay({ card_number, card_type })).body).toMatchObject({
      status: 'approved',
      card_type: 'STORED_CARD',
    })
  for (const card_type of [undefined, 'VISA'])
    expect((await pay({ card_number, card_type })).body.code).toBe(119)
  expect((await pay({ card_type: 'STORED_CARD' })).body.code).toBe(4002)
}
