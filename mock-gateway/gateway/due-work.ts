import type { Logger } from '../domain/logger.ts'
import { answersDue } from '../payments/answers-due.ts'
import { authenticationsDue } from '../payments/authentication/due.ts'
import { capturesDue } from '../payments/captures-due.ts'
import { expiriesDue } from '../payments/expiry.ts'
import type { Clocks } from '../scheduler/clocks.ts'
import type { DueKind } from '../scheduler/due.ts'
import { createGatewayClock } from '../scheduler/gateway-clock.ts'
import { createTimeline } from '../scheduler/timeline.ts'
import type { Database } from '../storage/database.ts'
import { createChosenResults } from '../subscriptions/chosen-results.ts'
import { chargesDue } from '../subscriptions/due.ts'
import type { Deliveries } from '../webhooks/deliveries.ts'
import type { WorkAt } from '../work/work.ts'

interface TimeDependencies {
  readonly database: Database
  readonly clocks: Clocks
  readonly workAt: WorkAt
  readonly deliveries: Deliveries
  readonly logger: Logger
}

/** Begins to do what falls due. @returns that, the clock that people move, and what they choose to happen */
export function keepTime({ database, clocks, workAt, deliveries, logger }: TimeDependencies) {
  const chosenResults = createChosenResults()
  /** What falls due, in the order in which it is done at one moment. */
  const kinds: readonly DueKind[] = [
    expiriesDue(workAt),
    authenticationsDue({ workAt }),
    answersDue(workAt),
    capturesDue(workAt),
    chargesDue({ clocks, workAt, chosenResults }),
    deliveries.due,
  ]
  const timeline = createTimeline({ database, clocks, kinds, logger })
  return { timeline, clock: createGatewayClock(clocks, timeline), chosenResults }
}
