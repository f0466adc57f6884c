import type { Texts } from '../shared/texts.ts'

const en = {
  explain: 'Pay right here. The form comes from the payment service.',
  goOn: 'Go on',
} as const

const sv: Readonly<Record<keyof typeof en, string>> = {
  explain: 'Du betalar direkt här på sidan. Formuläret kommer från betaltjänsten.',
  goOn: 'Gå vidare',
}

/** The texts of this shop only; `shared/texts.ts` has the texts of every shop. */
export const TEXTS: Texts<keyof typeof en> = { en, sv }
