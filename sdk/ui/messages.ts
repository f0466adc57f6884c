const en = {
  paying: 'Paying…',
  paid: 'The payment is complete.',
  rejected: 'The payment was declined.',
  unknownOutcome:
    'We do not know yet whether the payment went through. Check your order before you pay again.',
  notSent: 'The payment could not be made. Nothing was charged.',
  reload: 'Reload the page and try again. Nothing was charged.',
  offline: 'There is no internet connection. Nothing was charged.',
  pending: 'The payment is not complete yet. Continue here:',
  waitingForBank: 'Confirm the payment with your bank.',
  windowBlocked: 'The payment continues in a new window.',
  openBankWindow: 'Open the window',
  showBankWindow: 'Show the window',
  cancel: 'Cancel',
  cancelled: 'The payment was cancelled. Nothing was charged.',
  notConfirmed: 'Your bank did not confirm the payment. Nothing was charged.',
  cardNumber: 'Check the card number.',
  cardExpiry: 'Check the expiry date of the card.',
  cardCvv: 'Check the security code of the card.',
  cardHolder: 'Enter the name on the card.',
  required: 'Fill in all required fields.',
  tooLong: 'One of the fields is too long.',
}

const sv: typeof en = {
  paying: 'Betalar…',
  paid: 'Betalningen är klar.',
  rejected: 'Betalningen nekades.',
  unknownOutcome:
    'Vi vet inte ännu om betalningen gick igenom. Kontrollera din beställning innan du betalar igen.',
  notSent: 'Betalningen kunde inte genomföras. Inget har dragits.',
  reload: 'Ladda om sidan och försök igen. Inget har dragits.',
  offline: 'Internetanslutning saknas. Inget har dragits.',
  pending: 'Betalningen är inte klar ännu. Fortsätt här:',
  waitingForBank: 'Bekräfta betalningen hos din bank.',
  windowBlocked: 'Betalningen fortsätter i ett nytt fönster.',
  openBankWindow: 'Öppna fönstret',
  showBankWindow: 'Visa fönstret',
  cancel: 'Avbryt',
  cancelled: 'Betalningen avbröts. Inget har dragits.',
  notConfirmed: 'Din bank bekräftade inte betalningen. Inget har dragits.',
  cardNumber: 'Kontrollera kortnumret.',
  cardExpiry: 'Kontrollera kortets giltighetstid.',
  cardCvv: 'Kontrollera kortets säkerhetskod.',
  cardHolder: 'Fyll i namnet på kortet.',
  required: 'Fyll i alla obligatoriska fält.',
  tooLong: 'Ett av fälten är för långt.',
}

/** Texts for the payer by language. */
export const MESSAGES = { sv, en }

export type Locale = keyof typeof MESSAGES

/** Names of the built-in texts. */
export type MessageKey = keyof typeof en

export const isLocale = (value: unknown): value is Locale =>
  Object.keys(MESSAGES).includes(value as string)
