import { performance, timers } from '../domain/timers.ts'
import type { Job, RenderedTemplate } from './engine.ts'
import { beginThread, type RenderThread, TemplateError } from './render-thread.ts'

/** Renders merchants' templates in separate threads, one template of each merchant at a time. */
export interface Renderer {
  /**
   * @param merchantId renders one template at a time for each merchant, so that no merchant waits
   * for another's templates
   * @param timeLimit milliseconds after which the result is no longer needed
   * @throws TemplateError with the reason if it cannot be rendered within the limits
   */
  render(merchantId: number, job: Job, timeLimit?: number): Promise<RenderedTemplate>
  /** Ends the threads; what waits is refused. */
  close(): Promise<void>
}

/** Processor time that one rendering may take, in milliseconds (our decision). */
export const RENDER_MS = 250

/**
 * Longest wait of a payer for a page, including the templates before it, in milliseconds (our
 * decision). A busy machine can need seconds for milliseconds of CPU time.
 */
export const TIME_LIMIT_MS = 10_000

/** Most renderings of one merchant that wait. */
const WAITING = 100

/**
 * How long merchants whose template had to be ended share one thread, so that they never have all.
 */
const SLOW_MS = 60_000

/** Number of threads: slow templates can block one while the other is free. */
const THREADS = 2

/** Rendering that is queued or running. */
interface PendingRendering {
  readonly job: Job
  readonly resolve: (rendered: RenderedTemplate) => void
  readonly reject: (error: unknown) => void
}

type Queue = readonly [PendingRendering, ...PendingRendering[]]

/**
 * @param file the program of a thread, `render-worker.ts`
 * @param limit milliseconds of the processor that one rendering may take
 */
export function createRenderer(file: URL, limit: number = RENDER_MS): Renderer {
  const threads = new Set<RenderThread>()
  const idle: RenderThread[] = []
  /** Waiting jobs by merchant, the next first. */
  const waiting = new Map<number, Queue>()
  /** Merchants whose template is being rendered. */
  const underway = new Set<number>()
  /** When a template of a merchant had to be ended last, on the monotonic clock. */
  const endedAt = new Map<number, number>()
  /**
   * Merchants with templates; if there are several, an idle thread is kept ready for the others.
   */
  const merchants = new Set<number>()
  let starting = 0
  let closed = false

  const isSlow = (id: number) => performance.now() - (endedAt.get(id) ?? -SLOW_MS) < SLOW_MS
  const mayBegin = (id: number) => !underway.has(id) && !(isSlow(id) && [...underway].some(isSlow))

  /** Assigns threads to the merchants whose turn it is, and starts threads if none is free. */
  function handOut(): void {
    let missing = 0
    for (const [merchantId, queue] of waiting) {
      if (!mayBegin(merchantId)) continue
      // A merchant with slow templates does not get the last idle thread, because they could end
      // it.
      const thread = isSlow(merchantId) && threads.size < THREADS ? undefined : idle.pop()
      if (thread) void take(thread, merchantId, queue)
      else missing += 1
    }
    const wanted = closed ? 0 : Math.max(missing, merchants.size > 1 ? 1 : 0)
    while (starting < wanted && threads.size < THREADS) begin()
  }

  async function take(
    thread: RenderThread,
    merchantId: number,
    [one, ...later]: Queue,
  ): Promise<void> {
    underway.add(merchantId)
    keepWaiting(merchantId, later)
    await thread.render(one.job, limit).then(one.resolve, one.reject)
    underway.delete(merchantId)
    if (thread.hasEnded) endedAt.set(merchantId, performance.now())
    release(thread)
  }

  /** Adds the job after all waiting jobs. */
  function keepWaiting(merchantId: number, queue: readonly PendingRendering[]): void {
    waiting.delete(merchantId)
    if (isNotEmpty(queue)) waiting.set(merchantId, queue)
  }

  function begin(): void {
    const thread = beginThread(file)
    threads.add(thread)
    starting += 1
    thread
      .ready()
      // If a thread cannot start, another one could not either.
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
    for (const one of [...waiting.values()].flat()) one.reject(error)
    waiting.clear()
  }

  return {
    async render(merchantId, job, timeLimit = TIME_LIMIT_MS) {
      const queue = waiting.get(merchantId) ?? []
      if (queue.length >= WAITING)
        throw new TemplateError('Too many templates are waiting to be rendered')
      const { promise, resolve, reject } = Promise.withResolvers<RenderedTemplate>()
      const one = { job, resolve, reject }
      const timer = timers.setTimeout(() => {
        const others = waiting.get(merchantId)?.filter((each) => each !== one) ?? []
        if (isNotEmpty(others)) waiting.set(merchantId, others)
        else waiting.delete(merchantId)
        reject(
          new TemplateError(
            `Rendering did not start within ${timeLimit} ms: other templates were rendered, or the machine was busy`,
          ),
        )
      }, timeLimit)
      waiting.set(merchantId, [...queue, one])
      merchants.add(merchantId)
      handOut()
      return promise.finally(() => timers.clearTimeout(timer))
    },
    async close() {
      closed = true
      refuseAll(new TemplateError('The gateway is closing'))
      await Promise.all([...threads].map((thread) => thread.end()))
    },
  }
}

const isNotEmpty = (queue: readonly PendingRendering[]): queue is Queue => queue.length > 0
