import type { Job, Rendered } from './engine.ts'
import { beginThread, type RenderThread, TemplateError } from './render-thread.ts'

/** Renders merchants' templates in threads of their own, by turns. */
export interface Renderer {
  /**
   * @param merchantId whose turn it takes: one at a time for each merchant, so that none waits for another's templates
   * @param patience milliseconds after which nobody waits for it any more
   * @throws TemplateError with the reason when it cannot be rendered within the limits
   */
  render(merchantId: number, job: Job, patience?: number): Promise<Rendered>
  /** Ends the threads; what waits is refused. */
  close(): Promise<void>
}

/** Longest time that one rendering may take, in milliseconds (our decision). */
export const RENDER_MS = 250

/** Longest time that a payer waits for a page, turns of others and all, in milliseconds (our decision). */
export const PATIENCE_MS = 2_000

/** Most renderings of one merchant that wait for their turn. */
const WAITING = 100

/** How long merchants whose template had to be ended share one thread, so that they never have all. */
const SLOW_MS = 60_000

/** One that may be busy with templates that take all the time there is, and one that is not. */
const THREADS = 2

/** A rendering that waits, or is under way. */
interface Turn {
  readonly job: Job
  readonly resolve: (rendered: Rendered) => void
  readonly reject: (error: unknown) => void
}

type Turns = readonly [Turn, ...Turn[]]

/**
 * @param file the program of a thread, `render-worker.ts`
 * @param limit milliseconds that one rendering may take
 */
export function createRenderer(file: URL, limit: number = RENDER_MS): Renderer {
  const threads = new Set<RenderThread>()
  const idle: RenderThread[] = []
  /** What waits, by merchants in the order of their turns. */
  const waiting = new Map<number, Turns>()
  /** Merchants whose template is being rendered. */
  const underway = new Set<number>()
  /** When a template of a merchant had to be ended last, on the monotonic clock. */
  const endedAt = new Map<number, number>()
  /** Merchants that have templates; where there are several, a thread stands ready for those that are not rendered. */
  const merchants = new Set<number>()
  let starting = 0
  let closed = false

  const isSlow = (id: number) => performance.now() - (endedAt.get(id) ?? -SLOW_MS) < SLOW_MS
  const mayBegin = (id: number) => !underway.has(id) && !(isSlow(id) && [...underway].some(isSlow))

  /** Gives threads to those whose turn it is, and begins threads for those who find none. */
  function handOut(): void {
    let missing = 0
    for (const [merchantId, turns] of waiting) {
      if (!mayBegin(merchantId)) continue
      // The last one that stands ready is not for those who may end it with their template.
      const thread = isSlow(merchantId) && threads.size < THREADS ? undefined : idle.pop()
      if (thread) void take(thread, merchantId, turns)
      else missing += 1
    }
    const wanted = closed ? 0 : Math.max(missing, merchants.size > 1 ? 1 : 0)
    while (starting < wanted && threads.size < THREADS) begin()
  }

  async function take(thread: RenderThread, merchantId: number, [turn, ...later]: Turns): Promise<void> {
    underway.add(merchantId)
    keepWaiting(merchantId, later)
    await thread.render(turn.job, limit).then(turn.resolve, turn.reject)
    underway.delete(merchantId)
    if (thread.hasEnded) endedAt.set(merchantId, performance.now())
    release(thread)
  }

  /** Behind all others that wait. */
  function keepWaiting(merchantId: number, turns: readonly Turn[]): void {
    waiting.delete(merchantId)
    if (isSome(turns)) waiting.set(merchantId, turns)
  }

  function begin(): void {
    const thread = beginThread(file)
    threads.add(thread)
    starting += 1
    thread
      .ready()
      // One that cannot begin would not for others either.
      .catch(refuseAll)
      .finally(() => {
        starting -= 1
        release(thread)
      })
  }

  function release(thread: RenderThread): void {
    if (thread.hasEnded) threads.delete(thread)
    else idle.push(thread)
    handOut()
  }

  function refuseAll(error: Error): void {
    for (const turn of [...waiting.values()].flat()) turn.reject(error)
    waiting.clear()
  }

  return {
    async render(merchantId, job, patience = PATIENCE_MS) {
      const turns = waiting.get(merchantId) ?? []
      if (turns.length >= WAITING) throw new TemplateError('Too many templates wait to be rendered')
      const { promise, resolve, reject } = Promise.withResolvers<Rendered>()
      const turn = { job, resolve, reject }
      const timer = setTimeout(() => {
        const others = waiting.get(merchantId)?.filter((each) => each !== turn) ?? []
        if (isSome(others)) waiting.set(merchantId, others)
        else waiting.delete(merchantId)
        reject(new TemplateError(`It did not come about within ${patience} ms: other templates were rendered`))
      }, patience)
      waiting.set(merchantId, [...turns, turn])
      merchants.add(merchantId)
      handOut()
      return promise.finally(() => clearTimeout(timer))
    },
    async close() {
      closed = true
      refuseAll(new TemplateError('The gateway is closing'))
      await Promise.all([...threads].map((thread) => thread.end()))
    },
  }
}

const isSome = (turns: readonly Turn[]): turns is Turns => turns.length > 0
