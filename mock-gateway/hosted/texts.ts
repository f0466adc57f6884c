import type { Locale } from '../domain/errors.ts'

const sv = {
  title: 'Betala',
  pay: 'Betala',
  to: 'till',
  order: 'Order',
  card_number: 'Kortnummer',
  card_holder: 'Kortinnehavare',
  card_expiry: 'Giltigt till (MMÅÅ)',
  card_cvv: 'CVV',
  test: 'Testbetalning: inga pengar flyttas. Prova 4111 1111 1111 1111 med CVV 200.',
  error_prefix: 'Fel:',
  paid: 'Betalningen är klar',
  back: 'Tillbaka till butiken',
  sorry: 'Det gick inte',
}

/** Words of the payment pages, by language. */
export const TEXTS: Readonly<Record<Locale, Readonly<Record<keyof typeof sv, string>>>> = {
  sv,
  en: {
    title: 'Pay',
    pay: 'Pay',
    to: 'to',
    order: 'Order',
    card_number: 'Card number',
    card_holder: 'Card holder',
    card_expiry: 'Expires (MMYY)',
    card_cvv: 'CVV',
    test: 'Test payment: no money moves. Try 4111 1111 1111 1111 with CVV 200.',
    error_prefix: 'Error:',
    paid: 'The payment is made',
    back: 'Back to the shop',
    sorry: 'That did not work',
  },
}
