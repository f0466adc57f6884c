import type { KnownField } from '../../../contract/known-calls.ts'
import type { SafeHtml } from '../../pages/html.ts'

/** A form field for `fieldView`: label, description and problem. */
export interface FormField {
  readonly name: string
  readonly label: string | SafeHtml
  /** Description; null if the label is enough. */
  readonly help: string | null
  /** A choice, a number, or a text on one or several lines. */
  readonly kind: 'choice' | 'number' | 'line' | 'json' | 'long' | 'source'
  /** Allowed values, if there are few; for a list on one line, its allowed members. */
  readonly choices: readonly string[]
  /** Names of the choices. */
  readonly words: readonly { readonly choice: string; readonly text: string }[]
  readonly value: string
  readonly isRequired: boolean
  /** An example value, shown while the field is empty. */
  readonly placeholder: string | null
  /** Id of the datalist with its suggestions. */
  readonly list: string | null
  /** Set in the start-up configuration, and not changeable here. */
  readonly isFixed: boolean
  /** Usual value of a field that a form folds; null for a field that is always in view. */
  readonly usual: string | null
  /** Why the typed value is invalid. */
  readonly problem: string | null
}

/** @param given differences from an empty, plain field */
export const formField = (name: string, given: Partial<FormField> = {}): FormField => ({
  name,
  label: name,
  help: null,
  kind: 'line',
  choices: [],
  words: [],
  value: '',
  isRequired: false,
  placeholder: null,
  list: null,
  isFixed: false,
  usual: null,
  problem: null,
  ...given,
})

/** Converts a field of the contract. */
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
