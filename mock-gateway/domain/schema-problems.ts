import { z } from 'zod'

/**
 * Before what was expected they say nothing: `Invalid input: expected string, received undefined`.
 */
const GENERAL = /^Invalid (?:input|option): /

/**
 * What a schema has against a value, for a person or a header: plain ASCII on one line, as far as
 * names and messages are.
 * @returns such as `name: expected string, received undefined; url: must be an address`, without a
 *   stop
 */
export const problemsOf = ({ issues }: z.ZodError): string =>
  issues
    .map(({ path, message }) =>
      [z.core.toDotPath(path), message.replace(GENERAL, '')].filter(Boolean).join(': '),
    )
    .join('; ')
