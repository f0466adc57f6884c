import type { en } from './en.ts'

/** Swedish. */
export const sv: typeof en = {
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
