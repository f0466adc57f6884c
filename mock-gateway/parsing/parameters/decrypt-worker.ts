import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { decryptValue } from './decrypt-value.ts'
import type { DecryptedValues, EncryptedValues } from './decryptor.ts'

lowerPriority()

/** A thread of the decryptor: answers each message by one, in order. */
parentPort?.on('message', ({ values, privateKey }: EncryptedValues) => {
  const clear: DecryptedValues = values.map((value) => decryptValue(value, privateKey))
  parentPort?.postMessage(clear)
})

/**
 * Lets the thread that answers requests go first. Only Linux has a priority for each thread, and
 * says which one this is.
 */
function lowerPriority(): void {
  try {
    setPriority(
      Number(basename(readlinkSync('/proc/thread-self'))),
      constants.priority.PRIORITY_LOW,
    )
  } catch {
    // Elsewhere all threads are alike.
  }
}
