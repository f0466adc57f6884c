import { Worker } from 'node:worker_threads'
import type { Job, Rendered } from './engine.ts'

/** What the thread says: that it has begun, and what came of it. */
export type Answer =
  | { readonly kind: 'begun' }
  | ({ readonly kind: 'rendered' } & Rendered)
  | { readonly kind: 'failed'; readonly message: string }

/** Renders merchants' templates, one after the other, in a thread of their own. */
export interface Renderer {
  /** @throws TemplateError with the reason when it cannot be rendered within the limits */
  render(job: Job): Promise<Rendered>
  /** Ends the thread. */
  close(): Promise<void>
}

/** A template that was not rendered, and why. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
}

/** Longest time that one rendering may take, in milliseconds (our decision). */
export const RENDER_MS = 250

/** Longest time that the thread may take to start, on a machine with much to do. */
const START_MS = 20_000

/** Most renderings that wait for their turn. */
const WAITING = 100

const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }

/**
 * @param file the program of the thread, `render-worker.ts`
 * @param limit milliseconds that one rendering may take
 */
export function createRenderer(file: URL, limit: number = RENDER_MS): Renderer {
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  const end = async () => {
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }

  const start = (): Worker => {
    // No variables of the environment, no flags: it has nothing to read there.
    const started = new Worker(file, { env: {}, execArgv: [], resourceLimits: MEMORY })
    // An idle thread keeps no process alive.
    started.unref()
    // Who waits for an answer hears of it as well.
    started.on('error', () => undefined)
    started.on('exit', () => {
      if (worker === started) worker = undefined
    })
    return started
  }

  async function renderNow(job: Job): Promise<Rendered> {
    worker ??= start()
    const { promise, resolve, reject } = Promise.withResolvers<Rendered>()
    const fail = (message: string) => reject(new TemplateError(message))
    const thread = worker
    let isIdle = false
    let timer = setTimeout(fail, START_MS, 'The thread of the templates did not start')
    const onMessage = (answer: Answer) => {
      if (answer.kind === 'begun') {
        clearTimeout(timer)
        timer = setTimeout(fail, limit, `Rendering took longer than ${limit} ms`)
        return
      }
      isIdle = true
      if (answer.kind === 'rendered') resolve(answer)
      else fail(answer.message)
    }
    const onError = (error: Error) => fail(`Rendering took too much memory, or broke: ${error.message}`)
    const onExit = () => fail('The thread of the templates has ended')
    thread.ref()
    thread.on('message', onMessage).on('error', onError).on('exit', onExit)
    thread.postMessage(job)
    try {
      const { text, problems } = await promise
      return { text, problems }
    } finally {
      clearTimeout(timer)
      thread.off('message', onMessage).off('error', onError).off('exit', onExit)
      thread.unref()
      // Nobody knows what a thread is about that did not answer: the next rendering gets a new one.
      if (!isIdle) await end()
    }
  }

  return {
    render(job) {
      if (waiting >= WAITING) return Promise.reject(new TemplateError('Too many templates wait to be rendered'))
      waiting += 1
      const mine = last
        .then(() => renderNow(job))
        .finally(() => {
          waiting -= 1
        })
      last = mine.catch(() => undefined)
      return mine
    },
    close: end,
  }
}
