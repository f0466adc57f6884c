import { MondidoError } from '../client.ts'
import { CASES, type CheckCase } from './cases.ts'
import { CheckEndedError, CheckError, NotCheckedError, ShopFault } from './errors.ts'
import { describeSecondTime, toEvidence } from './evidence.ts'
import { type CheckedGateway, connectGateway, toCheckError, verifyLogin } from './gateway.ts'
import { releaseHeldWebhooks, suspendState } from './gateway-state.ts'
import { type CheckReport, explainResults, type SeenResult } from './groups.ts'
import type { ShopUnderCheck } from './plan.ts'
import { createStage, type Stage } from './stage.ts'
import * as cards from './steps/card-form.ts'
import { seeOrder } from './steps/orders.ts'
import { buy } from './steps/payer.ts'
import { createStory, type Story } from './story.ts'
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
  readonly onStart?: (name: string) => void
  /**
   * Called with what a case saw. Its cause is found when all cases have ended. A case that waits lets
   * the next one begin, so results arrive in another order.
   */
  readonly onResult?: (result: SeenResult) => void
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

/** Number of cases that wait at the same time. */
const MOST_WAITING = 8

/**
 * Runs cases against a shop, and holds the webhooks of its merchant meanwhile. One case acts at a
 * time; while it waits, the next one begins. A purchase at the beginning shows whether the plan
 * fits the shop.
 * @throws CheckError if gateway, shop or plan cannot be used
 */
export async function runCheck(
  checked: CheckedGateway,
  shop: ShopUnderCheck,
  { only, seed, signal, time = MACHINE_TIME, onStart, onResult }: CheckOptions = {},
): Promise<CheckReport> {
  const cases = findCases(only)
  const gateway = connectGateway(checked)
  const queue = createCaseQueue(time)
  const results: SeenResult[] = []
  const stories: Story[] = []
  let ended: string | undefined
  await verifyLogin(gateway)
  const state = await suspendState(gateway, time.elapsed)

  /** No request is sent after the check has ended. */
  async function order(paymentRef: string) {
    if (signal?.aborted) throw new CheckEndedError()
    return shop.order(paymentRef)
  }
  function openStage(parts: { readonly order?: typeof order; readonly seed?: string } = {}) {
    const story = createStory({ wait: time.wait, signal, ...parts })
    stories.push(story)
    return { story, stage: createStage({ gateway, shop, state, time, rest: queue.rest, story }) }
  }
  /** @throws CheckError */
  const tryPlan = () => buyOnce(openStage().stage)

  async function runCase(each: CheckCase) {
    onStart?.(each.name)
    const started = time.elapsed()
    const id = seed === undefined ? each.name : `${each.name}.${seed}`
    const { story, stage } = openStage({ order, ...(seed !== undefined && { seed: id }) })
    const verdict = await judge(story, () => each.run(stage, openStage().stage))
    if (verdict === 'ended') return
    const { isPlanBroken, ...outcome } = verdict
    // A case that waited when the shop stopped was not judged.
    if (isPlanBroken && ended !== undefined) return
    const report = outcome.verdict === 'failed' && {
      steps: story.steps.map(({ at, says, shows }) => ({ at, says, ...(shows && { shows }) })),
      payments: await Promise.all(story.transactions.map(gateway.story)),
    }
    const seconds = Math.round(time.elapsed() - started) / 1000
    const result: SeenResult = { case: each.name, id, ...outcome, ...report, seconds }
    results.push(result)
    onResult?.(result)
    if (!isPlanBroken || ended !== undefined) return
    const broken = await tryPlan().catch((error: Error) => error)
    if (broken) ended = `The check ended in the case "${each.name}": ${broken.message}`
  }
  let shown = ''
  try {
    await tryPlan()
    const shared = cases.filter(({ isAlone }) => !isAlone)
    const alone = cases.filter(({ isAlone }) => isAlone)
    const isEnded = () => signal?.aborted === true || ended !== undefined
    await queue.runAll(shared, MOST_WAITING, runCase, isEnded)
    await queue.runAll(alone, 1, runCase, isEnded)
  } catch (error) {
    if (!(error instanceof CheckEndedError)) throw toCheckError(error)
  } finally {
    shown = await state.restore()
    const bought = new Set(stories.flatMap(({ transactions }) => transactions))
    await releaseHeldWebhooks(gateway, [...bought])
    await shop.close?.()
  }
  if (signal?.aborted) ended = 'The check was ended.'
  const place = (name: string) => cases.findIndex((each) => each.name === name)
  return {
    ...explainResults(results.toSorted((one, other) => place(one.case) - place(other.case))),
    gateway: shown,
    ...(ended !== undefined && { ended }),
  }
}

/** Buys once, and reads the order with all members that the plan names. */
async function buyOnce(stage: Stage): Promise<void> {
  if (stage.shop.buy) return void (await seeOrder(stage, await buy(stage)))
  const purchase = await cards.openCardForm(stage)
  try {
    await cards.pressPay(stage, purchase)
    await seeOrder(stage, await cards.findOnlyPayment(stage, purchase))
  } catch (error) {
    throw error instanceof ShopFault ? new CheckError(error.message) : error
  }
}

type Judgement = Pick<SeenResult, 'verdict' | 'cause' | 'evidence'> & {
  /** True if the shop did not behave as in the plan. */
  readonly isPlanBroken?: boolean
}

async function judge(story: Story, run: () => Promise<void>): Promise<Judgement | 'ended'> {
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
