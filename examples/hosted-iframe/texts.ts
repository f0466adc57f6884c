import { createTexts } from '../shared/texts.ts'

/** The texts of this shop only; `shared/texts.ts` has the texts of every shop. */
export const TEXTS = createTexts({
  explain: [
    'Pay on this page. The form comes from the payment service.',
    'Du betalar direkt här på sidan. Formuläret kommer från betaltjänsten.',
  ],
  goOn: ['Continue', 'Fortsätt'],
})
