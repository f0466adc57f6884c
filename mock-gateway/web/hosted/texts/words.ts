import type { sv } from './sv.ts'

type Written<Words> = { readonly [Key in keyof Words]: Words[Key] extends string ? string : Written<Words[Key]> }

/** Words of the payment pages. */
export type Texts = Written<typeof sv>
