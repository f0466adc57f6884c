import type { Texts } from '../shared/texts.ts'

const en = {
  title: 'Checkout – Kaffekvarnen',
  unknown:
    'We do not know yet whether the payment went through. Do not pay again: reload this page in a moment.',
  testText:
    'No money moves. Pay with 4111\u00a01111\u00a01111\u00a01111, any future date and one of these security codes:',
  cvvApproved: 'approved',
  cvvDeclined: 'declined',
  cvvInvalid: 'security code wrong',
  cvvExpired: 'card expired',
  fill: 'Fill in',
} as const

const sv: Readonly<Record<keyof typeof en, string>> = {
  title: 'Kassa – Kaffekvarnen',
  unknown:
    'Vi vet inte ännu om betalningen gick igenom. Betala inte igen: ladda om sidan om en stund.',
  testText:
    'Inga pengar flyttas. Betala med 4111\u00a01111\u00a01111\u00a01111, ett framtida datum och en av dessa koder:',
  cvvApproved: 'godkänd',
  cvvDeclined: 'nekad',
  cvvInvalid: 'fel säkerhetskod',
  cvvExpired: 'utgånget kort',
  fill: 'Fyll i',
}

/** The texts of this shop only; `shared/texts.ts` has the texts of every shop. */
export const TEXTS: Texts<keyof typeof en> = { en, sv }
