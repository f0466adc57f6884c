import type { Finding } from '../../../serializers/findings/findings.ts'
import { EXAMINED_WEBHOOKS } from '../../../serializers/findings/read-findings.ts'
import { html } from '../../pages/html.ts'
import { link, longText, timeAt } from '../parts/cells.ts'
import { renderEmptyState } from '../parts/problem.ts'
import { type Column, fill, renderTable } from '../parts/table.ts'
import type { ConsolePage, MerchantVisit } from '../visit.ts'

/** Page of warnings: requests and webhooks that were accepted but will cause problems. */
export const FINDINGS_PAGE: ConsolePage<MerchantVisit> = {
  path: '/findings',
  async show(visit) {
    const findings = await findMerchantFindings(visit)
    return {
      title: 'Warnings',
      live: ['requests', 'webhooks'],
      body: html`<p class="quiet">These requests and webhooks were accepted,
but will cause problems later.
The page examines the last ${EXAMINED_WEBHOOKS} requests and webhooks.</p>
${findings.map(
  ({ name, title, why, mend, proofs }) => html`<section id="${name}" data-key="${name}">
<h2>${title} <span class="quiet">${proofs.length}</span></h2>
<p>${why}</p>
<p><b>How to fix it:</b> ${mend}</p>
${renderTable(fill(COLUMNS, proofs.slice(0, MAX_OCCURRENCES), visit.home))}
${
  proofs.length > MAX_OCCURRENCES
    ? html`<p class="quiet">The newest ${MAX_OCCURRENCES} of ${proofs.length}.</p>`
    : null
}
</section>
`,
)}${findings.length === 0 ? renderEmptyState('No warnings.') : null}`,
    }
  },
}

const COLUMNS: readonly Column<Finding['proofs'][number]>[] = [
  [
    'Seen in',
    ({ what, id }, home) => link(`${ONE[what]} ${id.slice(0, SHORT_ID)}`, `${home}/${what}/${id}`),
    'first',
  ],
  ['Time', ({ at }) => timeAt(at), 'first-end'],
  ['Evidence', ({ says }) => longText(says.replaceAll('`', '')), 'second'],
  [
    'Transaction',
    ({ transactionId: id }, home) => (id === null ? '' : link(id, `${home}/transactions/${id}`)),
  ],
]

/** Maximum occurrences of a finding on the page. */
const MAX_OCCURRENCES = 3

/** Characters of an id that distinguish it. */
const SHORT_ID = 8

const ONE = { requests: 'Request', transactions: 'Transaction', webhooks: 'Delivery' } as const

export async function findMerchantFindings({
  dependencies,
  merchant,
}: MerchantVisit): Promise<readonly Finding[]> {
  await dependencies.keptRequests.settle()
  return dependencies.readFindings(merchant.id)
}
