import { type Cause, findCause, findCauseById } from './causes.ts'
import type { CaseFacts, Evidence } from './evidence.ts'
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

/** Reads which cases passed and failed. @param judged the case whose cause is searched */
const collectFacts = (
  seen: readonly UnexplainedResult[],
  { evidence: judged }: UnexplainedResult,
): CaseFacts => ({
  passed: (name) => seen.some((each) => each.case === name && each.verdict === 'passed'),
  failed: (name, fits = () => true) =>
    seen.some(
      ({ case: failed, evidence }) =>
        failed === name &&
        evidence !== undefined &&
        evidence.violation === judged?.violation &&
        fits(evidence),
    ),
})

/** Finds the cause of each failed case from all cases. */
function findCauses(seen: readonly UnexplainedResult[]): ReadonlyMap<UnexplainedResult, Cause> {
  const found = new Map(
    seen
      .filter(({ verdict }) => verdict === 'failed')
      .map((result) => {
        const { evidence, cause: says = '' } = result
        if (evidence) return [result, findCause(evidence, collectFacts(seen, result))] as const
        // The same sentence about another order or status has the same cause.
        return [result, { id: says.replaceAll(/\S*\d\S*/g, ''), says, fix: '' }] as const
      }),
  )
  const ids = new Set([...found.values()].map(({ id }) => id))
  const explain = (cause: Cause): Cause => {
    const larger = findCauseById(cause.partOf?.find((id) => ids.has(id)) ?? '')
    return larger ? explain(larger) : cause
  }
  return new Map([...found].map(([result, cause]) => [result, explain(cause)]))
}

/**
 * Names the mistake of each failed case before what the check saw, and groups failed cases by their
 * cause: the cause with the most cases first.
 */
export function explainResults(
  seen: readonly UnexplainedResult[],
): Pick<CheckReport, 'results' | 'causes'> {
  const found = findCauses(seen)
  const groups = Map.groupBy(found, ([, { id }]) => id).values()
  return {
    results: seen.map(({ evidence: _evidence, ...result }, at) => {
      const mistake = found.get(seen[at] as UnexplainedResult)
      if (!mistake) return result
      const { says, fix } = mistake
      return { ...result, cause: says === result.cause ? says : `${says} ${result.cause}`, fix }
    }),
    causes: [...groups]
      .toSorted((one, other) => other.length - one.length)
      .map((group) => {
        const [[, { id, says, fix }]] = group as [(typeof group)[0]]
        const length = ({ steps = [] }: UnexplainedResult) => steps.length
        const sorted = group.toSorted(([one], [other]) => length(one) - length(other))
        return { cause: id, says, fix, cases: sorted.map(([result]) => result.case) }
      }),
  }
}
