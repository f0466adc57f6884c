import { constants, type KeyObject, privateDecrypt } from 'node:crypto'

/** What came out of one RSA block. */
export interface UnpaddedMessage {
  /** Meaningless bytes unless `intact`. */
  readonly message: Buffer
  /** Whether the ciphertext was a block for this key, padded by PKCS#1 v1.5. */
  readonly intact: boolean
}

/** Fewest random bytes in front of a message (RFC 8017, section 7.2.1). */
const MIN_PADDING = 8

/**
 * Decrypts one block padded by PKCS#1 v1.5 (RFC 8017, section 7.2.2). OpenSSL could take the
 * padding off as well and would answer a broken block with random bytes instead of an error; but
 * one such answer in 245 is empty, and clients do send encrypted empty texts, so the two could not
 * be told apart. The padding is therefore checked here.
 *
 * There is exactly one RSA operation, whatever comes in. A ciphertext shorter than the modulus
 * counts as a number, so that clients that drop leading zero bytes are understood.
 * @param ciphertext undefined stands for one that could not even be read
 */
export function decryptBlock(
  ciphertext: Buffer | undefined,
  privateKey: KeyObject,
): UnpaddedMessage {
  const block = ciphertext && rawDecrypt(ciphertext, privateKey)
  const { message, intact } = unpad(
    block ?? rawDecrypt(createSubstitute(privateKey), privateKey) ?? Buffer.alloc(0),
  )
  return { message, intact: intact && block !== undefined }
}

/**
 * Undefined when the block is too long or not below the modulus; then no RSA operation has
 * happened.
 */
function rawDecrypt(block: Buffer, privateKey: KeyObject): Buffer | undefined {
  try {
    return privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, block)
  } catch {
    return undefined
  }
}

/** A block that decrypts, if only to nonsense: its first bit is 0, that of every modulus is 1. */
function createSubstitute(privateKey: KeyObject): Buffer {
  return Buffer.alloc((privateKey.asymmetricKeyDetails?.modulusLength ?? 0) / 8, 1)
}

/**
 * Reads `00 02`, at least eight bytes other than 00, `00`, message. No branch depends on the bytes.
 */
function unpad(block: Buffer): UnpaddedMessage {
  let faults = 0
  let separator = 0
  let searching = 1
  let index = 0
  for (const byte of block) {
    if (index === 0) faults |= byte
    else if (index === 1) faults |= byte ^ 2
    else {
      const isZero = ((byte - 1) >> 31) & 1
      separator |= index & -(isZero & searching)
      searching &= ~isZero
    }
    index += 1
  }
  // Without any separator it is still 0, which is too far in front as well.
  faults |= ((separator - 2 - MIN_PADDING) >> 31) & 1
  return { message: block.subarray(separator + 1), intact: faults === 0 }
}
