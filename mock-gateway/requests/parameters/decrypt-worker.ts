import { parentPort } from 'node:worker_threads'
import { decryptValue } from './decrypt-value.ts'
import type { Clear, Sealed } from './decryptor.ts'

/** A thread of the decryptor: answers each message by one, in order. */
parentPort?.on('message', ({ values, privateKey }: Sealed) => {
  const clear: Clear = values.map((value) => decryptValue(value, privateKey))
  parentPort?.postMessage(clear)
})
