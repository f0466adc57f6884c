export type Language = 'en' | 'sv'

/** Texts under the same names in every language. */
export type Texts<Name extends string> = Readonly<Record<Language, Readonly<Record<Name, string>>>>

const en = {
  languageName: 'English',
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
} as const

const sv: Readonly<Record<keyof typeof en, string>> = {
  languageName: 'Svenska',
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
}

/** What every shop here says. */
export const TEXTS: Texts<keyof typeof en> = { en, sv }
