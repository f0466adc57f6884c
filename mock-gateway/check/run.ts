import { performance } from '../domain/timers.ts'
import { CASES, type CheckCase } from './cases.ts'
import { CheckError } from './check-error.ts'
import { createStage } from './create-stage.ts'
import { holdWebhooks } from './gateway-calls.ts'
import { type PaymentStory, readPaymentStory, releaseHeldWebhooks } from './gateway-data.ts'
import type { ShopUnderCheck } from './plan.ts'
import { type CheckedGateway, NotCheckedError, ShopFault } from './stage.ts'
import { CheckEndedError, createPause, recordStory, type Step, withRepeatedStep } from './story.ts'

/** Result of one case. */
export interface CaseResult {
  readonly case: string
  readonly verdict: 'passed' | 'failed' | 'not checked'
  /** Repeats this case with `--repeat`. */
  readonly id: string
  /** Why it failed or was not checked, in one sentence. */
  readonly cause?: string
  /** How shops fix it. */
  readonly fix?: string
  /** The steps of a case that failed. */
  readonly steps?: readonly Step[]
  /** The gateway's record of the payments of a failed case. */
  readonly payments?: readonly PaymentStory[]
  readonly seconds: number
}

/** Result of a check. */
export interface CheckReport {
  readonly results: readonly CaseResult[]
  /** Why the check ended before its last case, in one sentence. */
  readonly ended?: string
}

/** Choice of the cases to run, and callbacks. */
export interface CheckOptions {
  /** Names of cases. Default: all. */
  readonly only?: readonly string[]
  /**
   * Random seed of the pauses before steps: another seed changes the order of simultaneous events.
   * Default: no pauses.
   */
  readonly seed?: number
  /** Ends the check immediately, with the results so far. */
  readonly signal?: AbortSignal
  readonly onStart?: (name: string) => void
  readonly onResult?: (result: CaseResult) => void
}

/** @throws CheckError when a name is unknown */
export function findCases(only: readonly string[] = []): readonly CheckCase[] {
  const unknown = only.find((name) => !CASES.some((each) => each.name === name))
  if (unknown !== undefined)
    throw new CheckError(`There is no case "${unknown}"; --list shows the cases.`)
  return only.length === 0 ? CASES : CASES.filter(({ name }) => only.includes(name))
}

/** Returns the id of a result: the case and its seed, such as `return-twice.7`. */
const resultId = (name: string, seed: number | undefined): string =>
  seed === undefined ? name : `${name}.${seed}`

/** @throws CheckError when the id is not one of a result */
export function readResultId(id: string): {
  readonly only: readonly string[]
  readonly seed?: number
} {
  const [, name = '', seed] = /^([a-z0-9-]+)(?:\.(\d{1,9}))?$/.exec(id) ?? []
  findCases([name])
  return { only: [name], ...(seed && { seed: Number(seed) }) }
}

/**
 * Runs cases against a shop, one after the other, and holds the webhooks of its merchant meanwhile.
 * A purchase at the beginning shows whether the plan fits the shop.
 * @throws CheckError if gateway, shop or plan cannot be used
 */
export async function runCheck(
  gateway: CheckedGateway,
  shop: ShopUnderCheck,
  { only, seed, signal, onStart, onResult }: CheckOptions = {},
): Promise<CheckReport> {
  const cases = findCases(only)
  const open = createStoppableShop(shop, signal)
  const stage = createStage(gateway, open)
  const results: CaseResult[] = []
  const made: number[] = []
  const record = (pause: () => Promise<void>) => recordStory(stage, open, pause, signal)
  async function tryPlan() {
    const purchase = await record(createPause(undefined)).stage.buy()
    made.push(purchase.id)
    await open.order(purchase.paymentRef)
  }
  const release = await holdWebhooks(gateway)
  let ended: string | undefined
  try {
    await tryPlan()
    for (const each of cases) {
      if (signal?.aborted) break
      onStart?.(each.name)
      const id = resultId(each.name, seed)
      const started = performance.now()
      const story = record(createPause(seed === undefined ? undefined : id))
      const judged = await judge(each, () => each.run(story.stage, stage))
      made.push(...story.purchases.map((purchase) => purchase.id))
      if (judged === 'ended') break
      const told = judged.verdict === 'failed' && {
        steps: story.steps,
        payments: await Promise.all(
          story.purchases.map((purchase) => readPaymentStory(gateway, purchase.id)),
        ),
      }
      const seconds = Math.round(performance.now() - started) / 1000
      const { isPlanBroken, cause: reason, ...outcome } = judged
      const cause = told ? withRepeatedStep(reason, told.steps) : reason
      const result: CaseResult = {
        case: each.name,
        id,
        ...outcome,
        ...(cause !== undefined && { cause }),
        ...told,
        seconds,
      }
      results.push(result)
      onResult?.(result)
      const broken = isPlanBroken ? await tryPlan().catch((error: Error) => error) : undefined
      if (broken) {
        ended = `The check ended in the case "${each.name}": ${broken.message}`
        break
      }
    }
  } catch (error) {
    if (!(error instanceof CheckEndedError)) throw error
  } finally {
    await release()
    await releaseHeldWebhooks(gateway, made)
    await shop.close?.()
  }
  if (signal?.aborted) ended = 'The check was ended.'
  return { results, ...(ended !== undefined && { ended }) }
}

/** Wraps a shop so that no request is sent after the check has ended. */
const createStoppableShop = (
  shop: ShopUnderCheck,
  signal: AbortSignal | undefined,
): ShopUnderCheck => ({
  ...shop,
  async order(paymentRef) {
    if (signal?.aborted) throw new CheckEndedError()
    return shop.order(paymentRef)
  },
})

type Judgement = Pick<CaseResult, 'verdict' | 'cause' | 'fix'> & {
  /** True if the shop did not behave as in the plan. */
  readonly isPlanBroken?: boolean
}

async function judge({ fix }: CheckCase, run: () => Promise<void>): Promise<Judgement | 'ended'> {
  try {
    await run()
    return { verdict: 'passed' }
  } catch (error) {
    if (error instanceof CheckEndedError) return 'ended'
    if (error instanceof ShopFault) return { verdict: 'failed', cause: error.message, fix }
    if (error instanceof NotCheckedError) return { verdict: 'not checked', cause: error.message }
    // The shop does not do what the plan says, so this is the cause and the fix of the case is not.
    if (error instanceof CheckError)
      return { verdict: 'failed', cause: error.message, isPlanBroken: true }
    throw error
  }
}
