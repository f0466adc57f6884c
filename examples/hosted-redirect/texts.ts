import { createTexts } from '../shared/texts.ts'

/** The texts of this shop only; `shared/texts.ts` has the texts of every shop. */
export const TEXTS = createTexts({
  explain: [
    'You pay on the page of the payment service, and come back here.',
    'Du betalar på betaltjänstens sida och kommer tillbaka hit.',
  ],
})
