import { type AskedMethod, PAYER_ANSWERS } from '../../acquirer/payer-answers.ts'
import { entryByKey } from '../../domain/errors/errors.ts'
import { shownVersion } from '../../payments/on-page.ts'
import type { Page } from './page.ts'
import { TEXTS } from './texts.ts'
import type { Visit } from './visit.ts'

/**
 * Where the payer answers who is asked elsewhere: the simulated app or bank, with everything that it may answer and the
 * error which that makes. Answered in another window, the page goes on by itself.
 */
export const simulator = ({ row, merchant, now }: Visit): Page => ({
  view: 'simulator',
  of: { row, merchant },
  data: (locale) => {
    const method = row.payment_method as AskedMethod
    const texts = TEXTS[locale]
    const answers = Object.entries(PAYER_ANSWERS[method]).map(([answer, refusal]) => {
      const entry = refusal && entryByKey(refusal.error)
      return {
        value: answer,
        label: texts.answers[answer as keyof typeof texts.answers],
        error: entry && `${entry.code} ${entry.name}`,
      }
    })
    return {
      method,
      method_name: texts.methods[method],
      answers,
      version: shownVersion(row),
      seconds: Math.max(0, Math.round(((row.answer_by ?? 0) - now) / 1000)),
      number: row.payment_details?.swish_number ?? null,
    }
  },
})
