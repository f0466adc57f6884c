import { createTexts } from '../shared/texts.ts'

/** The texts of this shop only; `shared/texts.ts` has the texts of every shop. */
export const TEXTS = createTexts({
  payNow: ['Pay', 'Betala'],
  direct: [
    'The form goes straight to the payment service. Try 4111 1111 1111 1111, any future date and the code 200.',
    'Formuläret går direkt till betaltjänsten. Prova 4111 1111 1111 1111, ett framtida datum och koden 200.',
  ],
  otherTitle: ['Without a card here', 'Utan kort här'],
  otherText: [
    'The same form without card fields: the payment service asks for the card on its own page.',
    'Samma formulär utan kortfält: betaltjänsten frågar efter kortet på sin egen sida.',
  ],
})
