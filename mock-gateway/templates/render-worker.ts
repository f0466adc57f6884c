import { parentPort } from 'node:worker_threads'
import { type Job, render, Unrendered } from './engine.ts'
import type { Answer, Outcome } from './render-thread.ts'

/** A thread of its own for merchants' templates: one that runs too long or takes too much is ended with its thread. */
const port = parentPort
port?.on('message', (job: Job) => say(answer(job)))
say({ kind: 'ready' })

function say(what: Outcome) {
  const { user, system } = process.threadCpuUsage()
  port?.postMessage({ ...what, used: user + system } satisfies Answer)
}

function answer(job: Job): Outcome {
  try {
    return { kind: 'rendered', ...render(job) }
  } catch (error) {
    const message = String((error as Error).message).split('\n')[0] ?? ''
    const problems = error instanceof Unrendered ? error.problems : [{ line: null, message }]
    return { kind: 'failed', message, problems }
  }
}
