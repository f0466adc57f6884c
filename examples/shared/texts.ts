export type Language = 'en' | 'sv'

/** Texts under the same names in every language. */
export type Texts<Name extends string> = Readonly<Record<Language, Readonly<Record<Name, string>>>>

const en = {
  languageName: 'English',
  title: 'Checkout – Kaffekvarnen',
  yourOrder: 'Your order',
  sum: 'Total',
  vat: 'VAT included',
  payByCard: 'Pay by card',
  cardHolder: 'Name on the card',
  cardNumber: 'Card number',
  cardExpiry: 'Expires',
  cardExpiryHint: 'MM/YY',
  cardCvv: 'Security code',
  cardCvvHint: '3 or 4 digits',
  pay: 'Pay',
  encrypted: 'Your card details are encrypted here, in your browser. The shop never sees them.',
  unreachable: 'The payment service cannot be reached. Start it and reload this page.',
  noScript: 'Paying by card here needs JavaScript.',
  paid: 'Order paid',
  paidText: 'Thank you! The coffee is on its way. Your order number is',
  another: 'Place another order',
  toPayment: 'To payment',
  testCards: 'Test cards',
  notPaidTitle: 'Not paid',
  notPaid: 'The payment did not go through, and no money was taken. You can try again.',
  problem: 'Something went wrong',
  problemText:
    'The payment service cannot be reached at the moment. If you have just paid, do not pay again. Reload this page in a moment.',
  tryAgain: 'Try again',
} as const

const sv: Readonly<Record<keyof typeof en, string>> = {
  languageName: 'Svenska',
  title: 'Kassa – Kaffekvarnen',
  yourOrder: 'Din beställning',
  sum: 'Summa',
  vat: 'Moms ingår',
  payByCard: 'Betala med kort',
  cardHolder: 'Namn på kortet',
  cardNumber: 'Kortnummer',
  cardExpiry: 'Giltigt till',
  cardExpiryHint: 'MM/ÅÅ',
  cardCvv: 'Säkerhetskod',
  cardCvvHint: '3 eller 4 siffror',
  pay: 'Betala',
  encrypted: 'Dina kortuppgifter krypteras här, i din webbläsare. Butiken ser dem aldrig.',
  unreachable: 'Betaltjänsten går inte att nå. Starta den och ladda om sidan.',
  noScript: 'För att betala med kort här behövs JavaScript.',
  paid: 'Beställningen är betald',
  paidText: 'Tack! Kaffet är på väg. Ditt beställningsnummer är',
  another: 'Gör en ny beställning',
  toPayment: 'Till betalningen',
  testCards: 'Testkort',
  notPaidTitle: 'Inte betalt',
  notPaid: 'Betalningen gick inte igenom och inga pengar har dragits. Du kan försöka igen.',
  problem: 'Något gick fel',
  problemText:
    'Betaltjänsten går inte att nå just nu. Om du nyss har betalat, betala inte igen. Ladda om sidan om en stund.',
  tryAgain: 'Försök igen',
}

/** The texts of every example shop. */
export const TEXTS: Texts<keyof typeof en> = { en, sv }
