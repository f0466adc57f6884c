import { Worker } from 'node:worker_threads'
import { timers } from '../domain/timers.ts'
import type { Job, RenderedTemplate } from './engine.ts'
import type { TemplateProblem } from './repair.ts'

/** The start of a thread, or the result of a job. */
export type RenderOutcome =
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'rendered' } & RenderedTemplate)
  | {
      readonly kind: 'failed'
      readonly message: string
      readonly problems: readonly TemplateProblem[]
    }

/** A thread's message, with its processor time so far in microseconds. */
export type ThreadAnswer = RenderOutcome & { readonly used: number }

/** A template that was not rendered, and why. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  /** All that is wrong with it, the reason among it. */
  readonly problems: readonly TemplateProblem[]

  constructor(
    message: string,
    options: ErrorOptions & { readonly problems?: readonly TemplateProblem[] } = {},
  ) {
    super(message, options)
    this.problems = options.problems ?? [{ line: null, message }]
  }
}

/**
 * A thread that renders one template after the other. While idle, it does not keep the process
 * alive.
 */
export interface RenderThread {
  /** @throws TemplateError if it ended before it was ready */
  ready(): Promise<void>
  /**
   * @param limit milliseconds of CPU time; the limit in real time is 40 times as long
   * @throws TemplateError if it cannot be rendered; a thread without an answer has ended then
   */
  render(job: Job, limit: number): Promise<RenderedTemplate>
  readonly hasEnded: boolean
  end(): Promise<void>
}

/**
 * A thread that hangs is ended after this many times its limit by the clock: a busy machine keeps a
 * healthy one waiting.
 */
const CLOCK_LIMIT_FACTOR = 40

const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }

/** @param file the program of the thread, `render-worker.ts` */
export function beginThread(file: URL): RenderThread {
  // No variables of the environment, no flags: it has nothing to read there.
  const worker = new Worker(file, { env: {}, execArgv: [], resourceLimits: MEMORY })
  let asked: PromiseWithResolvers<ThreadAnswer> | undefined
  let hasEnded = false
  let used = 0

  const fail = (message: string) => {
    hasEnded = true
    asked?.reject(new TemplateError(message))
  }
  worker.on('message', (answer: ThreadAnswer) => {
    used = answer.used
    asked?.resolve(answer)
  })
  worker.on('error', (error) => fail(`Rendering used too much memory or crashed: ${error.message}`))
  worker.on('exit', () => fail('The thread that renders templates has stopped'))

  async function answer(): Promise<ThreadAnswer> {
    asked = Promise.withResolvers()
    worker.ref()
    try {
      return await asked.promise
    } finally {
      asked = undefined
      worker.unref()
    }
  }

  /**
   * Calls once the thread has used its processor time, or hangs. Node below 24.6 does not report
   * the processor time of a thread: there only the clock decides.
   * @returns a function that stops watching
   */
  function watch(limit: number, call: () => void): () => void {
    const before = used
    const stopped = new AbortController()
    const atLast = timers.setTimeout(call, limit * CLOCK_LIMIT_FACTOR)
    let next = timers.setTimeout(check, limit)
    async function check() {
      const now = await worker.cpuUsage?.().catch(() => undefined)
      if (stopped.signal.aborted || !now) return
      const left = limit - (now.user + now.system - before) / 1_000
      if (left > 0) next = timers.setTimeout(check, Math.ceil(left))
      else call()
    }
    return () => {
      stopped.abort()
      timers.clearTimeout(atLast)
      timers.clearTimeout(next)
    }
  }

  async function end(): Promise<void> {
    fail('The thread that renders templates was stopped')
    await worker.terminate()
  }

  return {
    async ready() {
      await answer()
    },
    async render(job, limit) {
      if (hasEnded) throw new TemplateError('The thread that renders templates has stopped')
      const stop = watch(limit, () => {
        fail(`Rendering took longer than ${limit} ms`)
        // The gateway does not know the state of a thread that did not answer.
        void end()
      })
      try {
        worker.postMessage(job)
        const result = await answer()
        if (result.kind === 'rendered') return { text: result.text, problems: result.problems }
        if (result.kind === 'failed') throw new TemplateError(result.message, result)
        throw new TemplateError('The thread that renders templates was restarted')
      } finally {
        stop()
      }
    },
    get hasEnded() {
      return hasEnded
    },
    end,
  }
}
