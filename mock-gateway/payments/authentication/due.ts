import type { DueKind } from '../../scheduler/due.ts'
import { findDueAuthentications } from '../../storage/find-due.ts'
import type { WorkAt } from '../../work/work.ts'
import { endAuthentication } from './end.ts'

/**
 * Authentications whose payers did not return from the bank, each with the time at which it
 * expires.
 */
export const authenticationsDue = ({ workAt }: { readonly workAt: WorkAt }): DueKind => ({
  kind: 'authentication',
  first: findDueAuthentications,
  async run({ id, merchantId, at }) {
    const work = await workAt(merchantId, at)
    const ended = work && (await endAuthentication(work, id, 'timeout', { expiresBy: at }))
    return (
      ended && {
        what: 'the payer did not come back from the bank in time',
        facts: { mpi_ref: ended.ref, transaction_id: ended.transaction_id },
      }
    )
  },
})
