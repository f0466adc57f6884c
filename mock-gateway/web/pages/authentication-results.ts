import type { AuthenticationResult } from '../../domain/card/three-d-secure.ts'
import type { Locale } from '../../domain/language/languages.ts'

/** Results of an authentication in words, for the bank and the payment page's test cards. */
export const AUTHENTICATION_RESULTS: Readonly<
  Record<Locale, Readonly<Record<AuthenticationResult, string>>>
> = {
  sv: {
    Y: 'Y: betalaren är verifierad',
    A: 'A: försök till verifiering',
    N: 'N: betalaren är inte verifierad',
    U: 'U: banken kan inte verifiera betalaren',
    R: 'R: banken avvisar betalaren',
    error: 'Protokollfel',
    timeout: 'Tiden går ut',
    cancel: 'Betalaren avbryter',
    abandon: 'Inget svar: betalaren lämnar sidan',
    replay: 'Svaret skickas två gånger',
    tamper: 'Svaret är förfalskat',
    bypass: 'En regel släpper igenom betalningen',
    disabled: 'Butiken saknar 3-D Secure',
  },
  en: {
    Y: 'Y: the payer is authenticated',
    A: 'A: authentication attempted',
    N: 'N: the payer is not authenticated',
    U: 'U: the bank cannot authenticate the payer',
    R: 'R: the bank rejects the payer',
    error: 'Protocol error',
    timeout: 'Time runs out',
    cancel: 'The payer cancels',
    abandon: 'No answer: the payer leaves',
    replay: 'The answer is sent twice',
    tamper: 'The answer is forged',
    bypass: 'A rule lets the payment through',
    disabled: '3-D Secure is not enabled for the shop',
  },
}
