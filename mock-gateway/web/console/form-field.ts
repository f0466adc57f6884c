import type { KnownField } from '../../contract/known-calls.ts'
import type { SafeHtml } from '../pages/html.ts'

/**
 * A field of a form, as `fieldView` shows it: its label, what it is for, and what is wrong beside
 * it.
 */
export interface FormField {
  readonly name: string
  readonly label: string | SafeHtml
  /** What it is for; null where its label says all. */
  readonly help: string | null
  /** A choice of few, a number, a text on one line or on several. */
  readonly kind: 'choice' | 'number' | 'line' | 'json' | 'long' | 'source'
  /** All there are, where there are few; of a list on one line, what it may hold. */
  readonly choices: readonly string[]
  /** How choices are called, where not by themselves. */
  readonly words: readonly { readonly choice: string; readonly text: string }[]
  readonly value: string
  readonly isRequired: boolean
  /** Id of the datalist with what it proposes. */
  readonly list: string | null
  /** It stands where the gateway was started, and is not changed here. */
  readonly isFixed: boolean
  /** Why what was typed cannot be used. */
  readonly problem: string | null
}

/** @param given what is not as with a plain field that is empty */
export const formField = (name: string, given: Partial<FormField> = {}): FormField => ({
  name,
  label: name,
  help: null,
  kind: 'line',
  choices: [],
  words: [],
  value: '',
  isRequired: false,
  list: null,
  isFixed: false,
  problem: null,
  ...given,
})

/** A field of a form, as the contract has it. */
export const asFormField = ({
  description,
  choices,
  isNumber,
  isRequired,
}: KnownField): Partial<FormField> => ({
  help: description || null,
  kind: choices.length > 0 ? 'choice' : isNumber ? 'number' : 'line',
  choices,
  isRequired,
})
