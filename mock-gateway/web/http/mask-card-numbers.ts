import type { Response } from 'express'
import { withoutCardNumbers } from '../../domain/card-numbers.ts'
import { explainAlso } from './refuse.ts'

/** Members that hold the card itself, or digits that mean something else and are not free to choose. */
const NOT_FREE: ReadonlySet<string> = new Set(['card', 'authentication', 'intent', 'hash', 'hashed', 'attempt'])

/**
 * A command without the card numbers that somebody put where none belongs, in metadata or an order id say, so that none
 * is ever written down (PCI DSS 3.5.1). The answer says so. All that rows are made of comes through here.
 */
export function maskCardNumbers<Command extends object>(response: Response, command: Command): Command {
  const masked = ([name, value]: readonly [string, unknown]) => withoutCardNumbers(value, name === 'metadata')
  const changed = Object.entries(command).filter((member) => !NOT_FREE.has(member[0]) && masked(member) !== member[1])
  if (changed.length === 0) return command
  explainAlso(response, 'a card number in another field was masked; send it as card_number only')
  return { ...command, ...Object.fromEntries(changed.map((member) => [member[0], masked(member)])) }
}
