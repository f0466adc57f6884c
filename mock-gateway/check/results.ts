import { type Cause, findCause, findCauseById } from './causes.ts'
import type { Evidence } from './evidence.ts'
import type { PaymentStory } from './gateway.ts'
import type { Step } from './story.ts'

/** Failed cases with one cause, the simplest case first. */
export interface CauseGroup {
  readonly cause: string
  readonly says: string
  readonly fix: string
  readonly cases: readonly string[]
}

/** Result of one case. */
export interface CaseResult {
  readonly case: string
  readonly verdict: 'passed' | 'failed' | 'not checked'
  /** Repeats this case with `--repeat`. */
  readonly id: string
  /** Why it failed or was not checked: the mistake first, then what the check saw. */
  readonly cause?: string
  /** How shops fix it. */
  readonly fix?: string
  /** The steps of a case that failed. */
  readonly steps?: readonly Pick<Step, 'at' | 'says' | 'shows'>[]
  /** The gateway's record of the payments of a failed case. */
  readonly payments?: readonly PaymentStory[]
  readonly seconds: number
}

/** The result of a case. Its cause follows from the results of all cases. */
export interface UnexplainedResult extends CaseResult {
  /** Observations of a mistake of the shop. A shop that does not do what the plan says has none. */
  readonly evidence?: Evidence
}

/** Result of a check. */
export interface CheckReport {
  /** In the order of the cases. */
  readonly results: readonly CaseResult[]
  /** The failed cases, by cause. */
  readonly causes: readonly CauseGroup[]
  /** The state of the gateway after the check, in one sentence. */
  readonly gateway: string
  /** Why the check ended before its last case, in one sentence. */
  readonly ended?: string
}

/** Finds the cause of a failed case from its evidence, and from all cases. */
function findOwnCause(
  { evidence, cause: says = '' }: UnexplainedResult,
  seen: readonly UnexplainedResult[],
): Cause {
  // The same sentence about another order or status has the same cause.
  if (!evidence) return { id: says.replaceAll(/\S*\d\S*/g, ''), says, fix: '' }
  return findCause(evidence, {
    passed: (name) => seen.some((each) => each.case === name && each.verdict === 'passed'),
    failed: (name, fits = () => true) =>
      seen.some(
        ({ case: failed, evidence: other }) =>
          failed === name && other?.violation === evidence.violation && fits(other),
      ),
  })
}

/**
 * Names the mistake of each failed case before what the check saw, and groups failed cases by their
 * cause: the cause with the most cases first.
 */
export function explainResults(
  seen: readonly UnexplainedResult[],
): Pick<CheckReport, 'results' | 'causes'> {
  const failed = seen.filter(({ verdict }) => verdict === 'failed')
  const own = new Map(failed.map((result) => [result, findOwnCause(result, seen)]))
  const ids = new Set([...own.values()].map(({ id }) => id))
  /** Returns the cause that also explains the cases of a cause, if it was found too. */
  const findLargest = (cause: Cause): Cause => {
    const larger = findCauseById(cause.partOf?.find((id) => ids.has(id)) ?? '')
    return larger ? findLargest(larger) : cause
  }
  const causes = new Map([...own].map(([result, cause]) => [result, findLargest(cause)]))
  return {
    results: seen.map((result) => {
      const { evidence: _evidence, ...shown } = result
      const cause = causes.get(result)
      if (!cause) return shown
      const { says, fix } = cause
      return { ...shown, cause: says === shown.cause ? says : `${says} ${shown.cause}`, fix }
    }),
    causes: [...Map.groupBy(causes, ([, { id }]) => id).values()]
      .toSorted((one, other) => other.length - one.length)
      .map((group) => {
        const [[, { id, says, fix }]] = group as [(typeof group)[0]]
        const length = ({ steps = [] }: UnexplainedResult) => steps.length
        const sorted = group.toSorted(([one], [other]) => length(one) - length(other))
        return { cause: id, says, fix, cases: sorted.map(([result]) => result.case) }
      }),
  }
}
