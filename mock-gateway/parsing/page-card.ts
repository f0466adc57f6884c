import { type CardForm, plainCard } from '../domain/card/rules.ts'
import { type Parameters, text } from './parameters/parameters.ts'

/** Reads the card typed on a payment page, normalized. */
export function readPageCard(parameters: Parameters): CardForm {
  const [month, year] = [text(parameters, 'expMM'), text(parameters, 'expYY')]
  const parts = month !== undefined && year !== undefined ? `${month}/${year}` : undefined
  return plainCard({
    card_number: text(parameters, 'card_number') ?? '',
    card_holder: text(parameters, 'card_holder') ?? '',
    card_expiry: text(parameters, 'card_expiry') ?? parts ?? '',
    card_cvv: text(parameters, 'card_cvv') ?? '',
  })
}
