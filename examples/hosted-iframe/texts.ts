import type { Texts } from '../shared/texts.ts'

const en = {
  explain: 'Pay on this page. The form comes from the payment service.',
  goOn: 'Continue',
} as const

const sv: Readonly<Record<keyof typeof en, string>> = {
  explain: 'Du betalar direkt här på sidan. Formuläret kommer från betaltjänsten.',
  goOn: 'Fortsätt',
}

/** The texts of this shop only; `shared/texts.ts` has the texts of every shop. */
export const TEXTS: Texts<keyof typeof en> = { en, sv }
