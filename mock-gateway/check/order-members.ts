import { CheckError } from './errors.ts'
import type { OrderView } from './order-view.ts'
import type { Members } from './plan-schema.ts'

/**
 * Reads the members of an order that the plan names.
 * @param shown the order as JSON
 * @throws CheckError if the order does not have a member, or the member cannot be the named value
 */
export function toOrderView(shown: unknown, names: Members): OrderView {
  const text = (path: string | undefined, name: string) => {
    if (path === undefined) return undefined
    const value = findMember(shown, path)
    if (value === undefined)
      throw new CheckError(
        `The plan is wrong: the order has no member "${path}", which the plan names at "${name}". It has ${listMembers(shown).join(', ')}.`,
      )
    return value === null ? undefined : String(value)
  }
  /** Reads `paid`, or `status = 'paid'`: then the value is `true` or `false`. */
  const condition = (written: string | undefined, name: string) => {
    const [path, wanted] = written?.split('=').map((part) => part.trim()) ?? []
    const value = text(path, name)
    return wanted === undefined || value === undefined
      ? value
      : String(value === wanted.replaceAll("'", ''))
  }
  const count = (written: string, name: string) => {
    const value = condition(written, name) ?? '0'
    const number = value === 'true' ? 1 : value === 'false' ? 0 : Number(value)
    if (Number.isInteger(number)) return number
    throw new CheckError(
      `The plan is wrong: "${written}" of the order is ${value}, and "${name}" needs a number, true or false. Write a condition, such as "${written} = '${value}'".`,
    )
  }
  const paid = names.paid === undefined ? [] : [names.paid].flat()
  const isPaid = paid.map((each) => condition(each, 'paid'))
  const { fulfilled } = names
  return {
    paid: paid.length === 0 ? undefined : isPaid.includes('true'),
    amount: text(names.amount, 'amount'),
    currency: text(names.currency, 'currency'),
    fulfilled:
      typeof fulfilled === 'object'
        ? Object.fromEntries(
            Object.entries(fulfilled).map(([part, written]) => [
              part,
              count(written, `fulfilled.${part}`),
            ]),
          )
        : fulfilled === undefined
          ? undefined
          : count(fulfilled, 'fulfilled'),
    refunded: names.refunded === undefined ? undefined : (text(names.refunded, 'refunded') ?? '0'),
  }
}

/** @param path such as `order.amount` */
const findMember = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce(
      (at, name) => (at as Readonly<Record<string, unknown>> | null | undefined)?.[name],
      value,
    )

/** Lists the members of an order, such as `order.amount`. */
export const flattenMembers = (value: object, path = ''): [string, unknown][] =>
  Object.entries(value).flatMap(([name, inner]): [string, unknown][] =>
    typeof inner === 'object' && inner !== null
      ? flattenMembers(inner, `${path}${name}.`)
      : [[path + name, inner]],
  )

const listMembers = (shown: unknown): readonly string[] =>
  typeof shown === 'object' && shown !== null
    ? flattenMembers(shown).map(([name]) => name)
    : ['no members']
