export type Language = 'en' | 'sv'

/** Creates the texts of a shop from pairs: English and Swedish. */
export function createTexts<Name extends string>(
  pairs: Readonly<Record<Name, readonly [en: string, sv: string]>>,
) {
  const choose = (at: 0 | 1) =>
    Object.fromEntries(
      Object.entries<readonly string[]>(pairs).map(([name, pair]) => [name, pair[at]]),
    ) as Readonly<Record<Name, string>>
  return { en: choose(0), sv: choose(1) }
}

/** The texts of every example shop. */
export const TEXTS = createTexts({
  languageName: ['English', 'Svenska'],
  title: ['Checkout – Kaffekvarnen', 'Kassa – Kaffekvarnen'],
  yourOrder: ['Your order', 'Din beställning'],
  sum: ['Total', 'Summa'],
  vat: ['VAT included', 'Moms ingår'],
  payByCard: ['Pay by card', 'Betala med kort'],
  cardHolder: ['Name on the card', 'Namn på kortet'],
  cardNumber: ['Card number', 'Kortnummer'],
  cardExpiry: ['Expires', 'Giltigt till'],
  cardExpiryHint: ['MM/YY', 'MM/ÅÅ'],
  cardCvv: ['Security code', 'Säkerhetskod'],
  cardCvvHint: ['3 or 4 digits', '3 eller 4 siffror'],
  pay: ['Pay', 'Betala'],
  encrypted: [
    'Your card details are encrypted here, in your browser. The shop never sees them.',
    'Dina kortuppgifter krypteras här, i din webbläsare. Butiken ser dem aldrig.',
  ],
  unreachable: [
    'The payment service cannot be reached. Start it and reload this page.',
    'Betaltjänsten går inte att nå. Starta den och ladda om sidan.',
  ],
  noScript: [
    'Paying by card here needs JavaScript.',
    'För att betala med kort här behövs JavaScript.',
  ],
  paid: ['Order paid', 'Beställningen är betald'],
  paidText: [
    'Thank you! The coffee is on its way. Your order number is',
    'Tack! Kaffet är på väg. Ditt beställningsnummer är',
  ],
  another: ['Place another order', 'Gör en ny beställning'],
  toPayment: ['To payment', 'Till betalningen'],
  testCards: ['Test cards', 'Testkort'],
  notPaidTitle: ['Not paid', 'Inte betalt'],
  notPaid: [
    'The payment did not go through, and no money was taken. You can try again.',
    'Betalningen gick inte igenom och inga pengar har dragits. Du kan försöka igen.',
  ],
  problem: ['Something went wrong', 'Något gick fel'],
  problemText: [
    'The payment service cannot be reached at the moment. If you have just paid, do not pay again. Reload this page in a moment.',
    'Betaltjänsten går inte att nå just nu. Om du nyss har betalat, betala inte igen. Ladda om sidan om en stund.',
  ],
  tryAgain: ['Try again', 'Försök igen'],
})
