import type {
  AnswerName,
  PageMethod,
  RedirectMethod,
} from '../../../domain/order/payment-methods.ts'

/**
 * Texts of a payment method: `asked` is shown while the payer answers elsewhere, `follows` is the
 * data that the shop receives.
 */
export interface MethodWords {
  readonly methods: {
    readonly [Method in PageMethod]: Method extends RedirectMethod
      ? Readonly<Record<'name' | 'intro' | 'asked' | 'follows', string>>
      : { readonly name: string; readonly intro?: string; readonly follows: string }
  }
  readonly answers: Readonly<Record<AnswerName, string>>
}
