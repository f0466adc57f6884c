import type { Locale } from '../../domain/errors.ts'

const sv = {
  other_language: 'en',
  other_language_name: 'English',
  title: 'Betala till',
  pay: 'Betala',
  order: 'Order',
  card_number: 'Kortnummer',
  card_holder: 'Namn på kortet',
  card_expiry: 'Giltigt till',
  card_expiry_hint: 'MM/ÅÅ',
  card_cvv: 'Säkerhetskod',
  card_cvv_hint: 'CVV, 3–4 siffror',
  test: 'Testbetalning: inga pengar flyttas.',
  test_card: 'Prova 4111\u00a01111\u00a01111\u00a01111 med CVV 200.',
  error_prefix: 'Fel:',
  problem: 'Det gick inte att betala',
  paid: 'Betalningen är klar',
  back: 'Tillbaka till butiken',
  sorry: 'Det gick inte',
  sorry_hint: 'Gå tillbaka till butiken: där ser du hur det står till med beställningen.',
}

/** Words of the payment pages, by language. */
export const TEXTS: Readonly<Record<Locale, Readonly<Record<keyof typeof sv, string>>>> = {
  sv,
  en: {
    other_language: 'sv',
    other_language_name: 'Svenska',
    title: 'Pay',
    pay: 'Pay',
    order: 'Order',
    card_number: 'Card number',
    card_holder: 'Name on the card',
    card_expiry: 'Expires',
    card_expiry_hint: 'MM/YY',
    card_cvv: 'Security code',
    card_cvv_hint: 'CVV, 3–4 digits',
    test: 'Test payment: no money moves.',
    test_card: 'Try 4111\u00a01111\u00a01111\u00a01111 with CVV 200.',
    error_prefix: 'Error:',
    problem: 'The payment did not go through',
    paid: 'The payment is made',
    back: 'Back to the shop',
    sorry: 'That did not work',
    sorry_hint: 'Go back to the shop: there you see how your order stands.',
  },
}
