import type { HostedTexts } from './texts/words.ts'

/** Name of a hint's text. */
type HintName = 'optional' | (keyof HostedTexts & `${string}_hint`)

/** Attributes of an input for browser and keyboard. */
interface Input {
  readonly type: 'text' | 'email' | 'tel' | 'select'
  /** Detail token of HTML's autofill. */
  readonly autocomplete: string
  readonly maxlength: number
  readonly numeric: boolean
  readonly required: boolean
  /** Label of the enter key on a virtual keyboard. */
  readonly enter: 'next' | 'done'
  /** Text of the hint between label and input. */
  readonly hint: HintName | null
}

const input = (autocomplete: string, maxlength: number, over: Partial<Input> = {}): Input => ({
  type: 'text',
  autocomplete,
  maxlength,
  numeric: false,
  required: true,
  enter: 'next',
  hint: null,
  ...over,
})

/** Inputs of the page by field name; labels are the texts of the same names. */
export const INPUTS = {
  // Room for nineteen digits with blanks or dashes.
  card_number: input('cc-number', 40, { numeric: true }),
  card_expiry: input('cc-exp', 9, { numeric: true, hint: 'card_expiry_hint' }),
  card_cvv: input('cc-csc', 4, { numeric: true, hint: 'card_cvv_hint' }),
  card_holder: input('cc-name', 100, { enter: 'done' }),
  email: input('email', 256, { type: 'email' }),
  phone: input('tel', 30, { type: 'tel' }),
  first_name: input('given-name', 100),
  last_name: input('family-name', 100),
  address_1: input('address-line1', 100),
  address_2: input('address-line2', 100, { required: false, hint: 'optional' }),
  zip: input('postal-code', 10),
  city: input('address-level2', 100),
  country_code: input('country', 3, { type: 'select' }),
  personal_number: input('off', 20, { hint: 'personal_number_hint' }),
  swish_number: input('tel', 30, { type: 'tel', hint: 'swish_number_hint', enter: 'done' }),
} as const

/** Name of a field that has an input. */
export type InputName = keyof typeof INPUTS

/** Fields that have an input. */
export const INPUT_FIELDS = Object.keys(INPUTS) as readonly InputName[]
