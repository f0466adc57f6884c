import type { Response } from 'express'
import { withoutCardNumbers } from '../../domain/card/numbers.ts'
import { addNotices } from './refuse.ts'

/** Members that contain the card itself, or digits with a fixed meaning. */
const NOT_FREE: ReadonlySet<string> = new Set([
  'card',
  'authentication',
  'intent',
  'hash',
  'hashed',
  'attempt',
  'notices',
])

/**
 * Masks card numbers in the wrong members of a command, such as metadata or an order id, so that
 * none is ever stored (PCI DSS 3.5.1), and adds a notice to the response. All data of rows pass this
 * function.
 */
export function maskCardNumbers<Command extends object>(
  response: Response,
  command: Command,
): Command {
  let changed: Partial<Record<keyof Command, unknown>> | undefined
  for (const name in command) {
    const value = command[name]
    const masked = NOT_FREE.has(name) ? value : withoutCardNumbers(value, name === 'metadata')
    if (masked === value) continue
    changed ??= Object.create(null) as object
    changed[name] = masked
  }
  if (changed === undefined) return command
  addNotices(response, [{ code: 'card_number.misplaced', facts: {} }])
  return { ...command, ...changed }
}
