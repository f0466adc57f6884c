import { findLastRejection } from '../last-rejection.ts'
import { paint } from '../paint.ts'
import type { RunVerb } from './verb.ts'

/** `mondido-gateway explain`. */
export const run: RunVerb = async (_given, { desk, show }) => {
  const { control, merchant } = await desk()
  const last = await findLastRejection(control, merchant.id)
  if (!last) return show(null, [`No request of merchant ${merchant.id} was rejected.`])
  const { method, route, at, status, error, explain } = last
  show(last, [
    `${method} ${route ?? ''} at ${at}: ${paint('red', [status, error].filter(Boolean).join(' '))}`,
    ...(explain ? [explain] : []),
  ])
}
