import { parentPort } from 'node:worker_threads'
import type { Job } from '../../../mock-gateway/templates/engine.ts'
import type { Answer, Outcome } from '../../../mock-gateway/templates/render-thread.ts'

/** A thread that never comes to an end with what it is given, but for what is quick, and for what only waits. */
parentPort?.on('message', ({ source }: Job) => {
  const waits = setTimeout(() => say({ kind: 'rendered', text: source, problems: [] }), source === 'waits' ? 300 : 0)
  if (source === 'asleep') clearTimeout(waits)
  while (!['quick', 'waits', 'asleep'].includes(source));
})
say({ kind: 'ready' })

function say(what: Outcome) {
  const { user, system } = process.threadCpuUsage()
  parentPort?.postMessage({ ...what, used: user + system } satisfies Answer)
}
