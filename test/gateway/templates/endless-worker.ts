import { parentPort } from 'node:worker_threads'

/** A thread that begins whatever it is given, and never comes to an end. */
parentPort?.on('message', () => {
  parentPort?.postMessage({ kind: 'begun' })
  for (;;);
})
