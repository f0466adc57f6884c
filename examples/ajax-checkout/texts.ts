import { createTexts } from '../shared/texts.ts'

/** The texts of this shop only; `shared/texts.ts` has the texts of every shop. */
export const TEXTS = createTexts({
  unknown: [
    'We do not know yet whether the payment went through. Do not pay again: reload this page in a moment.',
    'Vi vet inte ännu om betalningen gick igenom. Betala inte igen: ladda om sidan om en stund.',
  ],
  testText: [
    'No money moves. Pay with 4111\u00a01111\u00a01111\u00a01111, any future date and one of these security codes:',
    'Inga pengar flyttas. Betala med 4111\u00a01111\u00a01111\u00a01111, ett framtida datum och en av dessa koder:',
  ],
  cvvApproved: ['approved', 'godkänd'],
  cvvDeclined: ['declined', 'nekad'],
  cvvInvalid: ['security code wrong', 'fel säkerhetskod'],
  cvvExpired: ['card expired', 'utgånget kort'],
  fill: ['Fill in', 'Fyll i'],
})
