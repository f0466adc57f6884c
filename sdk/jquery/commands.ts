import { formatShort, tell } from '../advice/tell.ts'
import type { Library } from '../library.ts'
import type { MondidoController } from '../types.ts'
import type { Delegation } from './delegation.ts'

/** Commands that act on every form of a set. */
const ACTIONS = ['submit', 'destroy', 'focusWindow', 'option'] as const

/** Commands that return a value of the first form in a set, which need not be mounted yet. */
const QUESTIONS = new Map<string, (controller: MondidoController | undefined) => unknown>([
  ['abort', (controller) => controller?.abort() || null],
  ['state', (controller) => controller?.state || 'idle'],
  ['instance', (controller) => controller],
])

/** Names of all commands. */
export const listCommands = (): string[] => [...ACTIONS, ...QUESTIONS.keys()]

/** Runs `$(elements).mondido(command, argument)`.
 * @throws TypeError for an unknown command */
export function runCommand(
  elements: JQuery,
  command: string,
  argument: unknown,
  library: Library,
  delegation: Delegation,
): unknown {
  const getController = (element: Element | undefined) =>
    element && library.find(element)?.controller
  const question = QUESTIONS.get(command)
  if (question) return question(getController(elements[0]))
  const action = ACTIONS.find((each) => each === command)
  if (!action) {
    tell('error', 'command.unknown', { command })
    throw new TypeError(formatShort('command.unknown', { command }))
  }
  elements.each((_index, element) => {
    if (command === 'destroy') delegation.end(element)
    const controller = getController(element)
    if (controller) controller[action](Object(argument))
    else if (command !== 'destroy') tell('warn', 'page.not_mounted', { command })
  })
  return elements
}
