import { parentPort } from 'node:worker_threads'
import type { Job } from '../../../mock-gateway/templates/engine.ts'

/** A thread that never comes to an end with what it is given, but for what is quick. */
parentPort?.on('message', ({ source }: Job) => {
  while (source !== 'quick');
  parentPort?.postMessage({ kind: 'rendered', text: source, problems: [] })
})
parentPort?.postMessage({ kind: 'ready' })
