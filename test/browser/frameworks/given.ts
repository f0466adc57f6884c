/** What the test of frameworks gives its bundled pages. */
import type { configure, MondidoOptions } from 'mondido-js'

interface Given {
  readonly config: Parameters<typeof configure>[0]
  readonly options: MondidoOptions
  readonly fields: Readonly<Record<string, string>>
  readonly card: readonly string[]
  readonly isNamed: boolean
  /** The form has an action; otherwise it is disabled from `submit` on. */
  readonly hasAction: boolean
}

export const root = document.querySelector('#root') as HTMLElement
export const given: Given = JSON.parse(root.dataset.given ?? '')
