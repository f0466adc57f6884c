import { constants, type KeyObject, privateDecrypt } from 'node:crypto'
import { readBase64, readText } from './encoding.ts'

/**
 * Decrypts one value, base64(RSA PKCS#1 v1.5(base64(UTF-8 text))), with white space allowed in both
 * base64 layers (observed: RSA encryption of parameters). Every value costs exactly one RSA
 * operation.
 * @param value undefined for a value that is not text
 * @returns the plain text, or undefined if a layer is invalid
 */
export function decryptValue(value: string | undefined, privateKey: KeyObject): string | undefined {
  const ciphertext = value === undefined ? undefined : readBase64(value)
  const { message, intact } = decryptBlock(ciphertext, privateKey)
  // Decodes invalid blocks too, so that both cases take the same time.
  const plainText = decodeMessage(message)
  return intact ? plainText : undefined
}

function decodeMessage(message: Buffer): string | undefined {
  const bytes = readBase64(message.toString('latin1'))
  try {
    return bytes && readText(bytes)
  } catch {
    return undefined
  }
}

/** Result of decrypting one RSA block. */
interface UnpaddedMessage {
  /** Meaningless bytes unless `intact`. */
  readonly message: Buffer
  /** True if the ciphertext was a block for this key with PKCS#1 v1.5 padding. */
  readonly intact: boolean
}

/** Minimum number of random bytes before a message (RFC 8017, section 7.2.1). */
const MIN_PADDING = 8

/**
 * Decrypts one block with PKCS#1 v1.5 padding (RFC 8017, section 7.2.2). OpenSSL could remove the
 * padding, but returns random bytes for an invalid block instead of an error. One such result in
 * 245 is empty, and clients do send encrypted empty texts, so the two would look the same.
 * Therefore the padding is checked here.
 *
 * Every input costs exactly one RSA operation. A ciphertext shorter than the modulus counts as a
 * number, because some clients drop leading zero bytes.
 * @param ciphertext undefined for one that could not be decoded
 */
function decryptBlock(ciphertext: Buffer | undefined, privateKey: KeyObject): UnpaddedMessage {
  const block = ciphertext && decryptRaw(ciphertext, privateKey)
  const { message, intact } = unpad(
    block ?? decryptRaw(createSubstitute(privateKey), privateKey) ?? Buffer.alloc(0),
  )
  return { message, intact: intact && block !== undefined }
}

/**
 * Returns undefined if the block is too long or not below the modulus; then no RSA operation has
 * run.
 */
function decryptRaw(block: Buffer, privateKey: KeyObject): Buffer | undefined {
  try {
    return privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, block)
  } catch {
    return undefined
  }
}

/**
 * Creates a block that can be decrypted, with a meaningless result: its first bit is 0, the modulus
 * starts with 1.
 */
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
  // Without a separator its position is 0, which this check also rejects.
  faults |= ((separator - 2 - MIN_PADDING) >> 31) & 1
  return { message: block.subarray(separator + 1), intact: faults === 0 }
}
