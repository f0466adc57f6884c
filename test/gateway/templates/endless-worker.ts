import { parentPort } from 'node:worker_threads'
import type { Job } from '../../../mock-gateway/templates/engine.ts'
import type { RenderOutcome, ThreadAnswer } from '../../../mock-gateway/templates/render-thread.ts'

/**
 * Thread that answers only the job `quick`. It sleeps for the job `asleep`, and loops without end
 * for all other jobs.
 */
parentPort?.on('message', ({ source }: Job) => {
  if (source === 'quick') say({ kind: 'rendered', text: source, problems: [] })
  else while (source !== 'asleep');
})
say({ kind: 'ready' })

function say(what: RenderOutcome) {
  const { user, system } = process.threadCpuUsage()
  parentPort?.postMessage({ ...what, used: user + system } satisfies ThreadAnswer)
}
