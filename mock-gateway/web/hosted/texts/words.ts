import type { AnswerName, AskedMethod, PageMethod } from '../../../domain/order/payment-methods.ts'
import type { sv } from './sv.ts'

/** What every language must say of the methods of payment: `asked` stands above the page on which the payer waits. */
export interface MethodWords {
  readonly methods: {
    readonly [Method in PageMethod]: Method extends AskedMethod
      ? Readonly<Record<'name' | 'intro' | 'asked', string>>
      : { readonly name: string; readonly intro?: string }
  }
  readonly answers: Readonly<Record<AnswerName, string>>
}

type Written<Words> = { readonly [Key in keyof Words]: Words[Key] extends string ? string : Written<Words[Key]> }

/** Words of the payment pages. */
export type Texts = Written<typeof sv>
