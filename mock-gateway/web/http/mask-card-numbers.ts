import type { Response } from 'express'
import { removeCardNumbers } from '../../domain/card/numbers.ts'
import { getExchange } from './exchange.ts'
import { addNotices } from './refuse.ts'

/** Members that contain the card itself, or digits with a fixed meaning. */
const NOT_FREE: ReadonlySet<string> = new Set([
  'card',
  'authentication',
  'hash',
  'request_hash',
  'readHash',
  'attempt',
  'notices',
])

/**
 * Masks card numbers in the wrong members of a command, such as metadata or an order id, so that
 * none is ever stored (PCI DSS 3.5.1), and adds a notice to the response. Parts that the command
 * reads later are masked then: each is an object, whose members have the names of the command's.
 * All data of rows pass this function.
 */
export function maskCardNumbers<Command extends object>(
  response: Response,
  command: Command,
): Command {
  const changed: Partial<Record<keyof Command, unknown>> = Object.create(null)
  for (const name in command) {
    const value = command[name]
    const masked = NOT_FREE.has(name) ? value : maskMember(response, name, value)
    if (masked !== value) changed[name] = masked
  }
  return Object.keys(changed).length === 0 ? command : { ...command, ...changed }
}

function maskMember(response: Response, name: string, value: unknown): unknown {
  if (typeof value === 'function')
    return (...args: unknown[]) => maskCardNumbers(response, value(...args))
  if (name === 'columns') return maskCardNumbers(response, value as object)
  const masked = removeCardNumbers(value, name === 'metadata')
  const { notices } = getExchange(response)
  if (masked !== value && !notices.some(({ code }) => code === 'card_number.misplaced'))
    addNotices(response, [{ code: 'card_number.misplaced', facts: {} }])
  return masked
}
