import type { Texts } from '../shared/texts.ts'

const en = {
  explain: 'You pay in a frame on this page, which the payment service fills.',
  goOn: 'Go on',
} as const

const sv: Readonly<Record<keyof typeof en, string>> = {
  explain: 'Du betalar i en ram på den här sidan, som betaltjänsten fyller.',
  goOn: 'Gå vidare',
}

/** What this shop says besides what every shop does. */
export const TEXTS: Texts<keyof typeof en> = { en, sv }
