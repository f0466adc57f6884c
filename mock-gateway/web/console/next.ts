import { readNextOutcome } from '../../requests/control/payments.ts'
import { plain } from './cells.ts'
import { merchantChoices } from './merchants.ts'
import { NEXT_IN_WORDS, OUTCOMES } from './outcomes.ts'
import { everybody, type Of, oneMerchant } from './owner.ts'
import { type Act, fieldsOf, type Page, type Visit } from './visit.ts'

/** What the bank answers to the next payments of a merchant, which sets it for its own alone. */
export const NEXT = nextOf(oneMerchant)

/** The same for every merchant, and for whoever pays first. */
export const NEXT_OF_ALL = nextOf(everybody)

function nextOf<Who extends Visit>(ownerOf: Of<Who>) {
  const page: Page<Who> = {
    path: '/next',
    section: 'next',
    async show(visit) {
      const { merchantId, home, heads, cells } = ownerOf(visit)
      const waiting = await visit.dependencies.nextOutcomes.waiting('payment', merchantId)
      return {
        view: 'next',
        title: merchantId === undefined ? 'Next payments of all' : 'Next payments',
        data: {
          at: `${home}/next`,
          heads: ['Outcome', 'Payments', ...heads],
          rows: waiting.map(({ outcome, times, merchant_id }) => [
            plain(outcome),
            plain(times),
            ...cells({ merchantId: merchant_id }),
          ]),
          presets: Object.entries(NEXT_IN_WORDS).map(([words, outcome]) => ({ words, outcome })),
          outcomes: OUTCOMES,
          merchants: merchantId === undefined ? await merchantChoices(visit) : [],
        },
      }
    },
  }
  const acts: readonly Act<Who>[] = [
    {
      path: '/next',
      async act(visit) {
        const { merchantId } = ownerOf(visit)
        const own = merchantId === undefined ? {} : { merchant_id: String(merchantId) }
        await visit.dependencies.nextOutcomes.add(readNextOutcome('payment', { ...fieldsOf(visit), ...own }))
        return { to: '/next', done: 'waits' }
      },
    },
    {
      path: '/next/forget',
      async act(visit) {
        await visit.dependencies.nextOutcomes.clear('payment', ownerOf(visit).merchantId)
        return { to: '/next', done: 'forgotten' }
      },
    },
  ]
  return { page, acts }
}
