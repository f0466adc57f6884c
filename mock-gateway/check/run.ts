import { MondidoError } from '../client.ts'
import { CASES, type CheckCase } from './cases.ts'
import { type Cause, type CauseGroup, findCause, groupByCause } from './causes.ts'
import { CheckEndedError, CheckError, NotCheckedError, ShopFault } from './errors.ts'
import {
  type CheckedGateway,
  connectGateway,
  type GatewayClient,
  type PaymentStory,
  toCheckError,
  verifyLogin,
} from './gateway.ts'
import { type GatewayState, releaseHeldWebhooks, suspendState } from './gateway-state.ts'
import { mostFulfilled } from './order-view.ts'
import type { ShopUnderCheck } from './plan.ts'
import { createStage, type Stage } from './stage.ts'
import { createStory, type Step, type Story } from './story.ts'
import { type CheckTime, createTurns, MACHINE_TIME } from './time.ts'

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
  /** A case that waits lets the next one begin, so results arrive in another order. */
  readonly onResult?: (result: CaseResult) => void
}

/** @throws CheckError when a name is unknown */
export function findCases(only: readonly string[] = []): readonly CheckCase[] {
  const unknown = only.find((name) => !CASES.some((each) => each.name === name))
  if (unknown !== undefined)
    throw new CheckError(`There is no case "${unknown}"; --list shows the cases.`)
  return only.length === 0 ? CASES : CASES.filter(({ name }) => only.includes(name))
}

/** @throws CheckError when the id is not one of a result, such as `return-twice.7` */
export function readResultId(id: string): {
  readonly only: readonly string[]
  readonly seed?: number
} {
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
  const turns = createTurns()
  const results: CaseResult[] = []
  const made: number[] = []
  let ended: string | undefined
  await verifyLogin(gateway)
  const state = await suspendState(gateway, time.elapsed)
  const parts = { gateway, shop, state, time, signal, rest: restBetween(turns, time) }

  /** @throws CheckError */
  async function tryPlan() {
    const story = openStory(parts, undefined)
    try {
      await buyOnce(shop, createStage({ ...parts, story }))
    } finally {
      made.push(...story.transactions)
    }
  }
  async function runCase(each: CheckCase) {
    onStart?.(each.name)
    const started = time.elapsed()
    const id = seed === undefined ? each.name : `${each.name}.${seed}`
    const story = openStory(parts, seed === undefined ? undefined : id)
    const hidden = openStory(parts, undefined)
    const verdict = await judge(each, story, () =>
      each.run(createStage({ ...parts, story }), createStage({ ...parts, story: hidden })),
    )
    made.push(...story.transactions, ...hidden.transactions)
    if (verdict === 'ended') return
    const { isPlanBroken, ...outcome } = verdict
    // A case that waited when the shop stopped was not judged.
    if (isPlanBroken && ended !== undefined) return
    const told = outcome.verdict === 'failed' && {
      steps: story.steps.map(({ at, says, shows }) => ({ at, says, ...(shows && { shows }) })),
      payments: await Promise.all([...new Set(story.transactions)].map(gateway.control.story)),
    }
    const seconds = Math.round(time.elapsed() - started) / 1000
    const result: CaseResult = { case: each.name, id, ...outcome, ...told, seconds }
    results.push(result)
    onResult?.(result)
    if (!isPlanBroken || ended !== undefined) return
    const broken = await tryPlan().catch((error: Error) => error)
    if (broken) ended = `The check ended in the case "${each.name}": ${broken.message}`
  }
  const isOver = () => signal?.aborted || ended !== undefined

  let shown = ''
  try {
    await tryPlan()
    const waiting = new Set<Promise<void>>()
    let failure: unknown
    for (const each of cases.filter(({ isAlone }) => !isAlone)) {
      if (waiting.size >= MOST_WAITING) await Promise.race(waiting)
      await turns.take()
      if (isOver() || failure) {
        turns.pass()
        break
      }
      const running = runCase(each)
        .catch((error) => {
          failure ??= error
        })
        .finally(() => {
          turns.pass()
          waiting.delete(running)
        })
      waiting.add(running)
    }
    await Promise.all(waiting)
    if (failure) throw failure
    for (const each of cases.filter(({ isAlone }) => isAlone)) {
      if (isOver()) break
      await turns.take()
      await runCase(each).finally(turns.pass)
    }
  } catch (error) {
    if (!(error instanceof CheckEndedError)) throw toCheckError(error)
  } finally {
    shown = await state.restore()
    await releaseHeldWebhooks(gateway, [...new Set(made)])
    await shop.close?.()
  }
  if (signal?.aborted) ended = 'The check was ended.'
  const place = (name: string) => cases.findIndex((each) => each.name === name)
  const sorted = results.toSorted((one, other) => place(one.case) - place(other.case))
  return {
    results: sorted,
    causes: groupByCause(sorted),
    gateway: shown,
    ...(ended !== undefined && { ended }),
  }
}

/** Waits without the turn, so that the next case can act. */
const restBetween =
  (turns: ReturnType<typeof createTurns>, time: CheckTime) => async (milliseconds: number) => {
    turns.pass()
    try {
      await time.wait(milliseconds)
    } finally {
      await turns.take()
    }
  }

interface RunParts {
  readonly gateway: GatewayClient
  readonly shop: ShopUnderCheck
  readonly state: GatewayState
  readonly time: CheckTime
  readonly signal: AbortSignal | undefined
}

const openStory = ({ shop, time, signal }: RunParts, seed: string | undefined): Story =>
  createStory({
    wait: time.wait,
    seed,
    signal,
    // No request is sent after the check has ended.
    async order(paymentRef) {
      if (signal?.aborted) throw new CheckEndedError()
      return shop.order(paymentRef)
    },
  })

/** Buys once, and reads the order with all members that the plan names. */
async function buyOnce(shop: ShopUnderCheck, { payer, cardPayer, orders }: Stage): Promise<void> {
  if (shop.buy) return void (await orders.see(await payer.buy()))
  const purchase = await cardPayer.open()
  await cardPayer.press(purchase)
  await orders.see(await cardPayer.mustBePaidOnce(purchase)).catch((error) => {
    throw error instanceof ShopFault ? new CheckError(error.message) : error
  })
}

type Judgement = Pick<CaseResult, 'verdict' | 'cause' | 'fix' | 'mistake'> & {
  /** True if the shop did not behave as in the plan. */
  readonly isPlanBroken?: boolean
}

async function judge(
  tried: CheckCase,
  { steps }: Story,
  run: () => Promise<void>,
): Promise<Judgement | 'ended'> {
  try {
    await run()
    return { verdict: 'passed' }
  } catch (thrown) {
    const error = thrown instanceof MondidoError ? toCheckError(thrown) : thrown
    if (error instanceof CheckEndedError) return 'ended'
    if (error instanceof NotCheckedError) return { verdict: 'not checked', cause: error.message }
    if (error instanceof ShopFault) {
      const found = findCause(error, steps, tried)
      const says = found.says === error.message ? [] : [found.says]
      const cause = [...says, error.message, ...describeSecondTime(error, steps)].join(' ')
      return { verdict: 'failed', cause, fix: found.fix, mistake: found }
    }
    // The shop does not do what the plan says, so this is the cause and the fix of the case is not.
    if (error instanceof CheckError) {
      const { message } = error
      const mistake = { id: message.replaceAll(/\S*\d\S*/g, ''), says: message, fix: '' }
      return { verdict: 'failed', cause: message, mistake, isPlanBroken: true }
    }
    throw error
  }
}

/** Names the step after which an order was fulfilled a second time, if that is the mistake. */
function describeSecondTime({ violation, facts }: ShopFault, steps: readonly Step[]): string[] {
  if (violation !== 'fulfilled again' || facts.charges) return []
  const at = steps.findIndex(({ orders = new Map() }) =>
    [...orders.values()].some((order) => mostFulfilled(order) > 1),
  )
  const step = steps[at]
  return step ? [`The second time was in step ${at + 1}: ${step.says}`] : []
}
