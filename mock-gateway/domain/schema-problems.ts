import { z } from 'zod'

/** Maximum number of mistakes that are searched for, and listed. */
const MOST = 20

/**
 * A list of zod that stops at the first twenty mistakes: a short text can have 100,000 wrong items,
 * and collecting the mistakes of all of them takes seconds.
 */
const ShortList = z.core.$constructor<z.ZodArray, z.core.$ZodArrayDef>(
  'ShortList',
  (list, given) => {
    z.ZodArray.init(list, given)
    list._zod.parse = (payload, context) => {
      const { value: items, issues } = payload
      if (!Array.isArray(items)) {
        issues.push({ code: 'invalid_type', expected: 'array', input: items, inst: list })
        return payload
      }
      payload.value = []
      for (const [index, value] of items.entries()) {
        const item = given.element._zod.run({ value, issues: [] }, context) as z.core.ParsePayload
        issues.push(...z.core.util.prefixIssues(index, item.issues))
        payload.value.push(item.value)
        if (issues.length >= MOST) break
      }
      return payload
    }
  },
)

/** Schema of a list, as `z.array`, for lists of any length. */
export const parseList = <Item extends z.ZodType>(element: Item): z.ZodArray<Item> =>
  new ShortList({ type: 'array', element }) as z.ZodArray as z.ZodArray<Item>

/** Prefix without information: `Invalid input: expected string, received undefined`. */
const GENERAL = /^Invalid (?:input|option): /

/**
 * Lists the problems of a value for a person or a header, on one line.
 * @returns such as `name: expected string, received undefined; url: must be an address`, without a
 *   full stop
 */
export const formatProblems = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, MOST)
    .map(({ path, message }) =>
      [z.core.toDotPath(path), message.replace(GENERAL, '')].filter(Boolean).join(': '),
    )
    .join('; ')
