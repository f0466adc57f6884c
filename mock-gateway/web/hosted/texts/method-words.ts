import type {
  AnswerName,
  PageMethod,
  RedirectMethod,
} from '../../../domain/order/payment-methods.ts'

/**
 * What every language must say of the methods of payment: `asked` stands above the page on which
 * the payer waits, `follows` is what the shop gets to know.
 */
export interface MethodWords {
  readonly methods: {
    readonly [Method in PageMethod]: Method extends RedirectMethod
      ? Readonly<Record<'name' | 'intro' | 'asked' | 'follows', string>>
      : { readonly name: string; readonly intro?: string; readonly follows: string }
  }
  readonly answers: Readonly<Record<AnswerName, string>>
}
