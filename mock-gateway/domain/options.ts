/**
 * Error of `createGateway` with invalid options. The message is one sentence for the developer who
 * set them.
 * @example
 * import { createGateway, OptionError } from 'mondido-gateway'
 *
 * const failure = await createGateway({ control: 'short' }).catch((error) => error)
 * console.log(failure instanceof OptionError) // true
 */
export class OptionError extends Error {
  override readonly name = 'OptionError'
}

/**
 * Reads a public address of the gateway.
 * @param name of the variable or option, for the message
 * @returns the address without trailing slashes
 * @throws OptionError
 */
export function readAddress(text: string, name: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username)
    return text.replace(/(?<!\/)\/+$/, '')
  throw new OptionError(
    `${name} must be an address such as http://localhost:4400, without user name or query.`,
  )
}

/** Returns true for the address of a PostgreSQL database. */
export const isPostgres = (database: string): boolean => /^postgres(ql)?:\/\//.test(database)

/** @throws OptionError */
export function readPostgres(text: string, name: string): string {
  if (isPostgres(text)) return text
  throw new OptionError(`${name} must begin with postgres://.`)
}

/** Printable ASCII: it travels in a header. */
const CONTROL_KEY = /^[\x21-\x7e]{16,200}$/

/** @param what subject of the error message. @throws OptionError */
export function readControlKey(text: string, what: string): string {
  if (CONTROL_KEY.test(text)) return text
  throw new OptionError(`${what} must have 16 to 200 ASCII characters, without spaces.`)
}
