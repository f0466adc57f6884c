/**
 * Who does something to a payment, as its log shows it (our decision): the merchant logged in, the
 * administrator for it, the payer by the browser library or a form, whoever has the payment page or
 * a page of the bank open, or the gateway because a time has come.
 */
export type Actor = Person | { readonly by: 'gateway' }

export interface Person {
  readonly by: 'merchant' | 'administrator' | 'payer' | 'page'
  /** Empty of a connection that has gone. */
  readonly ip: string
}
