import type { Texts } from '../shared/texts.ts'

const en = {
  payNow: 'Pay',
  direct:
    'The form goes straight to the payment service. Try 4111 1111 1111 1111, any future date and the code 200.',
  otherTitle: 'Without a card here',
  otherText:
    'The same form without card fields: the payment service asks for the card on its own page.',
} as const

const sv: Readonly<Record<keyof typeof en, string>> = {
  payNow: 'Betala',
  direct:
    'Formuläret går direkt till betaltjänsten. Prova 4111 1111 1111 1111, ett framtida datum och koden 200.',
  otherTitle: 'Utan kort här',
  otherText: 'Samma formulär utan kortfält: betaltjänsten frågar efter kortet på sin egen sida.',
}

/** The texts of this shop only; `shared/texts.ts` has the texts of every shop. */
export const TEXTS: Texts<keyof typeof en> = { en, sv }
