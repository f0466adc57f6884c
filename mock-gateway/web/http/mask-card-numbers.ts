import type { Response } from 'express'
import { MASKED_ELSEWHERE, withoutCardNumbers } from '../../domain/card/numbers.ts'
import { explainAlso } from './refuse.ts'

/**
 * Members that hold the card itself, or digits that mean something else and are not free to choose.
 */
const NOT_FREE: ReadonlySet<string> = new Set([
  'card',
  'authentication',
  'intent',
  'hash',
  'hashed',
  'attempt',
])

/**
 * A command without the card numbers that somebody put where none belongs, in metadata or an order
 * id say, so that none is ever written down (PCI DSS 3.5.1). The answer says so. All that rows are
 * made of comes through here.
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
  explainAlso(response, MASKED_ELSEWHERE)
  return { ...command, ...changed }
}
