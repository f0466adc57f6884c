import { callRoute } from '../../client/control.ts'
import type { Operation } from '../../operations/operation.ts'
import { listFields } from '../../operations/read-input.ts'
import { listAllOperations } from '../../operations/table.ts'
import { formatColumns } from '../flags.ts'
import { type RunVerb, UsageError, type Verb } from './verb.ts'

/** Returns the operation of the command line. @throws UsageError */
function find(name: string): Operation {
  const found = listAllOperations().find((each) => each.name === name)
  if (found) return found
  throw new UsageError(`There is no operation "${name}". mondido-gateway do lists all.`)
}

/** Describes `do faults.inject`: its flags are the input of the operation. */
export function describe(verb: Verb, name: string | undefined): Verb {
  if (name === undefined || name.startsWith('-')) return verb
  const operation = find(name)
  const flags = listFields(operation).map(({ name: field, kind, description, choices }) => {
    const help = choices.length > 0 ? `${choices.join(', ')}. ${description}` : description
    return [field, { takes: kind, help: help.trim() }] as const
  })
  const examples = operation.examples.map(({ input }) =>
    [`do ${name}`, ...Object.entries(input).map(([field, value]) => `--${field} ${value}`)].join(
      ' ',
    ),
  )
  return {
    ...verb,
    usage: `do ${name} [flags]`,
    does: operation.does.replace(/^./, (letter) => letter.toLowerCase()),
    flags: Object.fromEntries(flags),
    examples: examples.length > 0 ? examples : [`do ${name}`],
  }
}

/** `mondido-gateway do faults.inject --kind drop`. */
export const run: RunVerb = async ({ words: [name], flags }, { connect, show }) => {
  if (name === undefined) {
    const all = listAllOperations().map(({ name: each, does }) => ({ name: each, does }))
    show(all, [formatColumns(all.map(({ name: each, does }) => [each, does]))])
    return 0
  }
  const operation = find(name)
  const { control, owner } = await connect()
  const sent = Object.fromEntries(
    Object.keys(operation.input.shape).flatMap((field) =>
      flags[field] === undefined ? [] : [[field, flags[field]]],
    ),
  )
  const answer = await callRoute(control, operation.route, { ...owner, ...sent })
  show(answer, [typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2)])
  return 0
}
