import { verifyAnswer } from '../../acquirer/three-d-secure/signed-answer.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import { record } from '../../outbox/record.ts'
import { countRefusedAnswer } from '../../storage/authentications.ts'
import { findOne, findRow } from '../../storage/rows.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import type { OpenWork } from '../../work/work.ts'
import { endAuthentication, findCurrentAuthentication } from './end.ts'

/**
 * Accepts the answer of the issuer's server. It comes through the payer's browser without a cookie,
 * so only its signature proves it, and it counts once. A payer who sends it again, because the
 * result was lost, gets the same result; the payment's log has the repetition.
 * @throws errors.mpi.invalid (1690) if it is forged, late or another one; the payment's log says
 * which
 */
export async function acceptAnswer(
  work: OpenWork,
  row: AuthenticationRow,
  answer: string,
): Promise<AuthenticationRow> {
  const verified = verifyAnswer(answer, row.key)
  const current = await findCurrentAuthentication(work, row)
  if (verified?.ref !== row.ref) throw await refuse(work, row, 'signature')
  if (current.status === 'open') {
    if (current.opened_at === null) throw await refuse(work, row, 'unasked')
    const ended = await endAuthentication(work, row.id, verified.result)
    if (ended) return ended
  }
  const before = (await findOne(work.queries, 'authentications', { ref: row.ref })) ?? current
  const refusal = await refuse(work, row, findEarlierEnd(before))
  if (before.result === verified.result) return before
  throw refusal
}

const REASONS = {
  signature: 'Its signature is invalid.',
  repeated: 'The authentication already has an answer.',
  late: 'The authentication has expired.',
  left: 'The payer has left the bank, to cancel or to start again.',
  unasked: "The payer never opened the bank's page.",
} as const

/** Returns how an authentication ended before an answer came. */
function findEarlierEnd({ result, answer }: AuthenticationRow): 'late' | 'left' | 'repeated' {
  if (result === 'timeout') return 'late'
  return result === 'cancel' && answer !== 'cancel' ? 'left' : 'repeated'
}

/**
 * Rejected answers of one authentication that get a line in the log (our decision: a client can
 * send any number).
 */
const MAX_LOGGED = 10

/** Records a rejected answer. @returns its error */
async function refuse(
  work: OpenWork,
  row: AuthenticationRow,
  reason: keyof typeof REASONS,
): Promise<GatewayError> {
  await work.write(async (steps) => {
    const counts = await countRefusedAnswer(steps.queries, row.id, MAX_LOGGED)
    const payment = await findRow(
      steps.queries,
      'transactions',
      row.merchant_id,
      row.transaction_id ?? undefined,
    )
    if (counts && payment)
      await record(steps, payment, [
        { event: 'authentication_refused', error: 'errors.mpi.invalid', reason },
      ])
  })
  return new GatewayError('errors.mpi.invalid', {
    explain: `The answer to the authentication is invalid. ${REASONS[reason]}`,
  })
}
