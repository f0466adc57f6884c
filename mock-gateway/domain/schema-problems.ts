import { z } from 'zod'

/** Prefix without information: `Invalid input: expected string, received undefined`. */
const GENERAL = /^Invalid (?:input|option): /

/**
 * Lists the problems of a value for a person or a header, on one line.
 * @returns such as `name: expected string, received undefined; url: must be an address`, without a
 *   full stop
 */
export const problemsOf = ({ issues }: z.ZodError): string =>
  issues
    .map(({ path, message }) =>
      [z.core.toDotPath(path), message.replace(GENERAL, '')].filter(Boolean).join(': '),
    )
    .join('; ')
