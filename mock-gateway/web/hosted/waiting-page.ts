import type { Page } from './page.ts'
import type { Visit } from './visit.ts'

/** What a payer sees while a payment is under way elsewhere. It asks by itself how it goes on. */
export const waiting = ({ row, merchant }: Visit): Page => ({
  view: 'waiting',
  of: { row, merchant },
  data: () => ({}),
})
