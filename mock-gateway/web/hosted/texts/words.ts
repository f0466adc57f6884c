import type { sv } from './sv.ts'

type SameKeys<Words> = {
  readonly [Key in keyof Words]: Words[Key] extends string
    ? string
    : Words[Key] extends (count: number) => string
      ? (count: number) => string
      : SameKeys<Words[Key]>
}

/** Words of the payment pages. */
export type HostedTexts = SameKeys<typeof sv>
