import type { Finding } from '../../serializers/findings/findings.ts'
import { LOOKED_AT } from '../../serializers/findings/read-findings.ts'
import { wireTime } from '../../serializers/time.ts'
import { type Cell, link, longText, plain, time } from './cells.ts'
import type { MerchantVisit, Page } from './visit.ts'

/** What works here and will do harm later, each with what shows it. */
export const FINDINGS_PAGE: Page<MerchantVisit> = {
  path: '/findings',
  section: 'findings',
  async show(visit) {
    const { home } = visit
    const findings = await foundIn(visit)
    return {
      view: 'findings',
      title: 'Findings',
      live: ['requests', 'transactions', 'webhooks'],
      data: {
        looked_at: LOOKED_AT,
        findings: findings.map(({ proofs, ...told }) => ({
          ...told,
          count: proofs.length,
          heads: ['When', 'Seen in', 'What it shows', 'Transaction'],
          rows: proofs
            .slice(0, MOST)
            .map((proof): Cell[] => [
              time(wireTime(proof.at)),
              link(`${ONE[proof.what]} ${proof.id.slice(0, SHORT_ID)}`, `${home}/${proof.what}/${proof.id}`),
              longText(proof.says),
              proof.transactionId === null
                ? plain('')
                : link(proof.transactionId, `${home}/transactions/${proof.transactionId}/story`),
            ]),
        })),
      },
    }
  },
}

/** Proofs of one finding that are shown. */
const MOST = 3

/** Characters of an id that tell it from its neighbours. */
const SHORT_ID = 8

const ONE = { requests: 'Request', transactions: 'Transaction', webhooks: 'Delivery' } as const

/** Finds what is accepted and will do harm later. */
export async function foundIn({ dependencies, merchant }: MerchantVisit): Promise<readonly Finding[]> {
  await dependencies.keptRequests.settle()
  return dependencies.readFindings(merchant.id)
}
