import type { z } from 'zod'
import { problemsOf } from './schema-problems.ts'

/**
 * A gateway cannot be made as it was asked for; the message is one sentence for the person who
 * asked.
 */
export class OptionError extends Error {
  override readonly name = 'OptionError'
}

/**
 * Reads an address at which the gateway is reached from outside.
 * @param name of the variable or option, for the message
 * @returns the address without slashes at its end
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

/** True for the address of a PostgreSQL database. */
export const isPostgres = (database: string): boolean => /^postgres(ql)?:\/\//.test(database)

/** @throws OptionError */
export function readPostgres(text: string, name: string): string {
  if (isPostgres(text)) return text
  throw new OptionError(`${name} must begin with postgres://.`)
}

/** Printable ASCII: it travels in a header. */
const CONTROL_KEY = /^[\x21-\x7e]{16,200}$/

/** @param what it is, at the beginning of the sentence. @throws OptionError */
export function readControlKey(text: string, what: string): string {
  if (CONTROL_KEY.test(text)) return text
  throw new OptionError(`${what} must have 16 to 200 ASCII characters, without spaces.`)
}

/**
 * Reads something by its schema.
 * @param what it is, at the beginning of the sentence
 * @throws OptionError that says what is wrong where
 */
export function readBySchema<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: string,
): z.output<Schema> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  throw new OptionError(`${what} cannot be used: ${problemsOf(read.error)}.`)
}
