import { parentPort } from 'node:worker_threads'
import { type Job, render, TemplateRenderError } from './engine.ts'
import type { RenderOutcome, ThreadAnswer } from './render-thread.ts'

/**
 * A thread for merchants' templates: a template that runs too long or uses too much memory ends
 * with its thread.
 */
const port = parentPort
port?.on('message', (job: Job) => postOutcome(answer(job)))
postOutcome({ kind: 'ready' })

function postOutcome(what: RenderOutcome) {
  const { user, system } = process.threadCpuUsage()
  port?.postMessage({ ...what, used: user + system } satisfies ThreadAnswer)
}

function answer(job: Job): RenderOutcome {
  try {
    return { kind: 'rendered', ...render(job) }
  } catch (error) {
    const message = String((error as Error).message).split('\n')[0] ?? ''
    const problems =
      error instanceof TemplateRenderError ? error.problems : [{ line: null, message }]
    return { kind: 'failed', message, problems }
  }
}
