import type { AnswerName, AskedMethod, PageMethod } from '../../../domain/order/payment-methods.ts'

/** What every language must say of the methods of payment: `asked` stands above the page on which the payer waits. */
export interface MethodWords {
  readonly methods: {
    readonly [Method in PageMethod]: Method extends AskedMethod
      ? Readonly<Record<'name' | 'intro' | 'asked', string>>
      : { readonly name: string; readonly intro?: string }
  }
  readonly answers: Readonly<Record<AnswerName, string>>
}
