/**
 * Runs a check. `plan.ts` reads how to buy in the shop, and `cases.ts` lists the cases. A case runs on
 * a `Stage`: the gateway, the shop, a payer, and the story that records each step. Its steps are in
 * `steps/`, and throw `ShopFault` for a mistake of the shop. `evidence.ts` reads the observations from
 * the story, `causes.ts` finds the cause, and `results.ts` groups the failed cases by cause for the
 * reports.
 */
import { MondidoError } from '../client.ts'
import { findOnlyPayment, openCardForm, pressPay } from './cases/card.ts'
import { CASES, type CheckCase } from './cases.ts'
import { CheckEndedError, CheckError, NotCheckedError, ShopFault } from './errors.ts'
import { describeSecondTime, toEvidence } from './evidence.ts'
import { type CheckedGateway, logIn, toCheckError } from './gateway.ts'
import { suspendState } from './gateway-state.ts'
import type { ShopUnderCheck } from './plan.ts'
import { type CheckReport, explainResults, type UnexplainedResult } from './results.ts'
import { createStage, type Stage } from './stage.ts'
import { seeOrder } from './steps/orders.ts'
import { buy } from './steps/payer.ts'
import type { Recording, Story } from './story.ts'
import { type CheckTime, createCaseQueue, MACHINE_TIME } from './time.ts'

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
  /** The time in which the check waits. Default: the machine's. */
  readonly time?: CheckTime
  /** Called when the gateway has accepted the login, before anything is bought. */
  readonly onLogin?: () => void
  readonly onStart?: (name: string) => void
  /**
   * Called with what a case saw. Its cause is found when all cases have ended. A case that waits lets
   * the next one begin, so results arrive in another order.
   */
  readonly onResult?: (result: UnexplainedResult) => void
}

/** @throws CheckError when a name is unknown */
export function findCases(only: readonly string[] = []): readonly CheckCase[] {
  const unknown = only.find((name) => !CASES.some((each) => each.name === name))
  if (unknown !== undefined)
    throw new CheckError(`There is no case "${unknown}"; --list shows the cases.`)
  return only.length === 0 ? CASES : CASES.filter(({ name }) => only.includes(name))
}

/** @throws CheckError when the id is not one of a result, such as `return-twice.7` */
export function readResultId(id: string): Pick<CheckOptions, 'only' | 'seed'> {
  const [, name = '', seed] = /^([a-z0-9-]+)(?:\.(\d{1,9}))?$/.exec(id) ?? []
  findCases([name])
  return { only: [name], ...(seed && { seed: Number(seed) }) }
}

/** A check that is running. */
interface CheckRun {
  readonly options: CheckOptions
  readonly openStage: (recording?: Recording) => Stage
  readonly results: UnexplainedResult[]
  /** Why the check ended before its last case. */
  endedBecause: string | undefined
}

/**
 * Runs cases against a shop, and holds the webhooks of its merchant meanwhile. One case acts at a
 * time; while it waits, the next one begins. A purchase at the beginning shows whether the plan
 * fits the shop.
 * @throws CheckError if gateway, shop or plan cannot be used
 */
export async function runCheck(
  checked: CheckedGateway,
  shop: ShopUnderCheck,
  options: CheckOptions = {},
): Promise<CheckReport> {
  const { only, signal, onLogin, time = MACHINE_TIME } = options
  const cases = findCases(only)
  const gateway = await logIn(checked)
  onLogin?.()
  const state = await suspendState(gateway, time)
  const queue = createCaseQueue(time)
  const parts = { gateway, shop, state, time, rest: queue.rest }
  const openStage = (recording?: Recording) => createStage(parts, { ...recording, signal })
  const run: CheckRun = { options, openStage, results: [], endedBecause: undefined }
  let restored = ''
  try {
    await buyOnce(openStage())
    await queue.runAll(cases, (each) => runCase(run, each))
  } catch (error) {
    if (!(error instanceof CheckEndedError)) throw toCheckError(error)
  } finally {
    restored = await state.restore()
    await shop.close?.()
  }
  const ended = signal?.aborted ? 'The check was ended.' : run.endedBecause
  const place = (name: string) => cases.findIndex((each) => each.name === name)
  return {
    ...explainResults(run.results.toSorted((one, other) => place(one.case) - place(other.case))),
    gateway: restored,
    ...(ended !== undefined && { ended }),
  }
}

/** Runs a case, and ends the check if the shop does not behave as in the plan any more. */
async function runCase(run: CheckRun, each: CheckCase): Promise<void> {
  const { options, openStage } = run
  const { seed, signal, onStart, onResult } = options
  if (signal?.aborted || run.endedBecause !== undefined) return
  onStart?.(each.name)
  const id = seed === undefined ? each.name : `${each.name}.${seed}`
  const stage = openStage({ isRecorded: true, seed: seed === undefined ? undefined : id })
  const started = stage.time.elapsed()
  const verdict = await runAndJudge(stage.story, () => each.run(stage, openStage()))
  if (verdict === 'ended') return
  const { isPlanBroken, ...outcome } = verdict
  // A case that waited when the shop stopped was not judged.
  if (isPlanBroken && run.endedBecause !== undefined) return
  const report = outcome.verdict === 'failed' && {
    steps: stage.story.steps.map(({ at, says, shows }) => ({ at, says, ...(shows && { shows }) })),
    payments: await Promise.all([...stage.story.transactions].map(stage.gateway.story)),
  }
  const seconds = Math.round(stage.time.elapsed() - started) / 1000
  const result: UnexplainedResult = { case: each.name, id, ...outcome, ...report, seconds }
  run.results.push(result)
  onResult?.(result)
  if (!isPlanBroken || run.endedBecause !== undefined) return
  const broken = await buyOnce(openStage()).catch((error: Error) => error)
  if (broken) run.endedBecause = `The check ended in the case "${each.name}": ${broken.message}`
}

/**
 * Buys once, and reads the order with all members that the plan names.
 * @throws CheckError
 */
async function buyOnce(stage: Stage): Promise<void> {
  if (stage.shop.buy) return void (await seeOrder(stage, await buy(stage)))
  const purchase = await openCardForm(stage)
  try {
    await pressPay(stage, purchase)
    await seeOrder(stage, await findOnlyPayment(stage, purchase))
  } catch (error) {
    throw error instanceof ShopFault ? new CheckError(error.message) : error
  }
}

type Judgement = Pick<UnexplainedResult, 'verdict' | 'cause' | 'evidence'> & {
  /** True if the shop did not behave as in the plan. */
  readonly isPlanBroken?: boolean
}

/** Runs a case. Its errors decide the verdict. @returns 'ended' if the check ends meanwhile */
async function runAndJudge(story: Story, run: () => Promise<void>): Promise<Judgement | 'ended'> {
  try {
    await run()
    return { verdict: 'passed' }
  } catch (thrown) {
    const error = thrown instanceof MondidoError ? toCheckError(thrown) : thrown
    if (error instanceof CheckEndedError) return 'ended'
    if (error instanceof NotCheckedError) return { verdict: 'not checked', cause: error.message }
    if (error instanceof ShopFault) {
      await story.showEnd()
      const { steps } = story
      const cause = error.message + describeSecondTime(error, steps)
      return { verdict: 'failed', cause, evidence: toEvidence(error, steps) }
    }
    // The shop does not do what the plan says, so this is the cause.
    if (error instanceof CheckError)
      return { verdict: 'failed', cause: error.message, isPlanBroken: true }
    throw error
  }
}
