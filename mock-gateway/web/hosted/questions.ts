import { holdsCardNumber } from '../../domain/card/rules.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import { isObject, type JsonValue } from '../../domain/json.ts'
import { type Locale, wordsIn } from '../../domain/language/languages.ts'
import type { Merchant, PageInput } from '../../domain/merchant.ts'
import type { Parameters } from '../../parsing/parameters/parameters.ts'
import type { Problem } from './problems.ts'
import { TEXTS } from './texts.ts'

/** The id of a question's input. */
const idOf = ({ key }: PageInput): string => `metadata_${key}`

/** The merchant's own questions as the page shows them, with what was answered when it is shown again. */
export const shownQuestions = ({ settings }: Merchant, parameters: Parameters, locale: Locale) =>
  settings.page_inputs.map((question) => ({
    id: idOf(question),
    // As the specification names such an input (Metadata).
    name: `metadata["${question.key}"]`,
    is_box: question.type === 'checkbox',
    label: wordsIn(question.label, locale),
    link: question.link ?? null,
    required: question.required,
    value: answerOf(question, parameters),
    missing: `${wordsIn(question.label, locale)}: ${TEXTS[locale].question_missing}`,
  }))

/** What is wrong with the answers: none where one is needed, or a card number in the wrong box. */
export const questionProblems = ({ settings }: Merchant, parameters: Parameters): Problem[] =>
  settings.page_inputs.flatMap((question): Problem[] => {
    const answer = answerOf(question, parameters)
    const isCard = holdsCardNumber(answer)
    if (!isCard && (answer !== '' || !question.required)) return []
    const explain = isCard ? `There is a card number in ${question.key}` : `The payer has not answered ${question.key}`
    const words = isCard ? 'question_card' : 'question_missing'
    return [
      {
        field: idOf(question),
        refusal: new GatewayError('errors.metadata.invalid', { explain }),
        label: (locale) => wordsIn(question.label, locale),
        text: (locale) => `${wordsIn(question.label, locale)}: ${TEXTS[locale][words]}`,
      },
    ]
  })

/** What was typed or ticked; empty for nothing, and for what no input of the page sends. */
function answerOf({ key }: PageInput, { metadata }: Parameters): string {
  const answer: JsonValue | undefined = isObject(metadata) ? metadata[key] : undefined
  return typeof answer === 'string' ? answer.trim() : ''
}
