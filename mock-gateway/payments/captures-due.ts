import type { DueKind } from '../scheduler/due.ts'
import { findAnsweredCaptures } from '../storage/find-due.ts'
import type { WorkAt } from '../work/work.ts'
import { answerCapture } from './capture.ts'

/** Creates the kind of due work that answers pending captures when the bank's time has passed. */
export const capturesDue = (workAt: WorkAt): DueKind => ({
  kind: 'capture',
  first: findAnsweredCaptures,
  async run({ id, merchantId, at }) {
    const work = await workAt(merchantId, at)
    const row = work && (await answerCapture(work, id))
    if (!row) return undefined
    const { payment_ref, status } = row
    const what =
      status === 'approved' ? `captured ${payment_ref}` : `the capture of ${payment_ref} failed`
    return { what, facts: { transaction_id: id, status } }
  },
})
