import type { Texts } from '../shared/texts.ts'

const en = {
  explain: 'You pay on the page of the payment service, and come back here.',
} as const

const sv: Readonly<Record<keyof typeof en, string>> = {
  explain: 'Du betalar på betaltjänstens sida och kommer tillbaka hit.',
}

/** The texts of this shop only; `shared/texts.ts` has the texts of every shop. */
export const TEXTS: Texts<keyof typeof en> = { en, sv }
