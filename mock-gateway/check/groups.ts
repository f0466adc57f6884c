import { type Cause, causeById } from './causes.ts'
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
  /** The mistake, which other cases can share. */
  readonly mistake?: Cause
  /** The steps of a case that failed. */
  readonly steps?: readonly Pick<Step, 'at' | 'says' | 'shows'>[]
  /** The gateway's record of the payments of a failed case. */
  readonly payments?: readonly PaymentStory[]
  readonly seconds: number
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

type FailedCase = Pick<CaseResult, 'case' | 'verdict' | 'mistake' | 'steps'>

/** Returns a function that explains a cause by the other results. */
function explainBy(results: readonly FailedCase[]) {
  const verdictOf = (name: string) => results.find((result) => result.case === name)?.verdict
  const correct = (cause: Cause): Cause => {
    const other = cause.else?.find(
      ({ passed, failed }) =>
        verdictOf(passed) === 'passed' && (!failed || verdictOf(failed) === 'failed'),
    )
    return (other && causeById(other.cause)) ?? cause
  }
  const found = results.flatMap(({ mistake }) => (mistake ? correct(mistake) : []))
  const ids = new Set(found.map(({ id }) => id))
  const isBoth = ids.has('webhook-sends-again') && ids.has('return-sends-again')
  return function explain(given: Cause): Cause {
    const cause = correct(given)
    if (isBoth && /^(?:webhook|return)-sends-again$/.test(cause.id))
      return causeById('message-sends-again') ?? cause
    const larger = found.find(({ id }) => cause.partOf?.includes(id))
    return larger ? explain(larger) : cause
  }
}

/** Names the mistake of each failed case before what the check saw. */
export function explainResults(results: readonly CaseResult[]): readonly CaseResult[] {
  const explain = explainBy(results)
  return results.map((result) => {
    if (!result.mistake) return result
    const mistake = explain(result.mistake)
    const { says, fix } = mistake
    const cause = says === result.cause ? says : `${says} ${result.cause}`
    return { ...result, cause, fix, mistake }
  })
}

/** Groups failed cases by their cause, the cause with the most cases first. */
export function groupByCause(results: readonly FailedCase[]): readonly CauseGroup[] {
  const explain = explainBy(results)
  const groups = Map.groupBy(
    results.flatMap((result) => (result.mistake ? { result, cause: explain(result.mistake) } : [])),
    ({ cause }) => cause.id,
  )
  return [...groups.values()]
    .toSorted((one, other) => other.length - one.length)
    .map((group) => {
      const { id, says, fix } = (group[0] as (typeof group)[0]).cause
      const length = ({ result: { steps = [] } }: (typeof group)[0]) => steps.length
      const sorted = group.toSorted((one, other) => length(one) - length(other))
      return { cause: id, says, fix, cases: sorted.map(({ result }) => result.case) }
    })
}
