import { constants, publicEncrypt } from 'node:crypto'
import { TEST_PUBLIC_KEY } from '../../helpers/keys.ts'

/** Encrypts a parameter as clients do (specification: Encryption). */
export function encrypt(value: string): string {
  const inner = Buffer.from(Buffer.from(value).toString('base64'))
  return publicEncrypt(
    { key: TEST_PUBLIC_KEY, padding: constants.RSA_PKCS1_PADDING },
    inner,
  ).toString('base64')
}

/** Encrypts some fields, like a page with the library. */
export const hide = <Value>(
  fields: Readonly<Record<string, Value>>,
  ...names: string[]
): Readonly<Record<string, Value | string>> => ({
  ...fields,
  ...Object.fromEntries(names.map((name) => [name, encrypt(String(fields[name]))])),
  encrypted: names.join(),
})
