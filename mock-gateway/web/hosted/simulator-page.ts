import { entryByKey } from '../../domain/errors/errors.ts'
import { rulesOf } from '../../domain/order/payment-methods.ts'
import { shownVersion } from '../../payments/on-page.ts'
import type { HostedPage } from './page.ts'
import { TEXTS } from './texts.ts'
import type { PaymentVisit } from './visit.ts'

/** Formats a Swedish number as usual: 070-123 45 67; other lengths with the country code. */
function writtenNumber(number: string | undefined): string | null {
  if (number === undefined) return null
  const [, first, ...rest] = /^46(\d\d)(\d{3})(\d\d)(\d\d)$/.exec(number) ?? []
  return first ? `0${first}\u2011${rest.join('\u00a0')}` : `+${number}`
}

/**
 * Builds the simulated app or bank, with every possible answer and its error. If the payer answers
 * in another window, the page continues by itself.
 */
export const simulatorPage = ({ row, merchant, now }: PaymentVisit): HostedPage => ({
  view: 'simulator',
  of: { row, merchant },
  data: (locale) => {
    const { asked, page } = rulesOf(row.payment_method)
    const labels: Readonly<Record<string, string>> = TEXTS[locale].answers
    const answers = Object.entries(asked?.answers ?? {}).map(([answer, refusal]) => {
      const entry = refusal && entryByKey(refusal.error)
      return {
        value: answer,
        label: labels[answer],
        error: entry && `${entry.code} ${entry.name}`,
      }
    })
    return {
      method: row.payment_method,
      field: page?.field ?? null,
      answers,
      version: shownVersion(row),
      seconds: Math.max(0, Math.round(((row.answer_by ?? 0) - now) / 1000)),
      number: writtenNumber(row.payment_details?.swish_number),
    }
  },
})
