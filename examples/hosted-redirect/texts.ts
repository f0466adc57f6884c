import type { Texts } from '../shared/texts.ts'

const en = {
  explain: 'You pay on the page of the payment service, and come back here.',
} as const

const sv: Readonly<Record<keyof typeof en, string>> = {
  explain: 'Du betalar på betaltjänstens sida och kommer tillbaka hit.',
}

/** What this shop says besides what every shop does. */
export const TEXTS: Texts<keyof typeof en> = { en, sv }
