import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { decryptValue } from './decrypt-value.ts'
import type { DecryptedValues, EncryptedValues } from './decryptor.ts'

reducePriority()

/** Thread of the decryptor: answers each message with one message, in order. */
parentPort?.on('message', ({ values, privateKey }: EncryptedValues) => {
  const clear: DecryptedValues = values.map((value) => decryptValue(value, privateKey))
  parentPort?.postMessage(clear)
})

/** Gives priority to the thread that answers requests. Only Linux has priorities for threads. */
function reducePriority(): void {
  try {
    setPriority(
      Number(basename(readlinkSync('/proc/thread-self'))),
      constants.priority.PRIORITY_LOW,
    )
  } catch {
    // On other systems all threads have the same priority.
  }
}
