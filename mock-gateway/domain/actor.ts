/**
 * The actor of a change to a payment, as its log shows it (our decision): the merchant logged in,
 * an administrator for the merchant, the payer with the browser library or a form, the browser that
 * has the payment page or a page of the bank open, or the gateway itself when something is due.
 */
export type Actor = Person | { readonly by: 'gateway' }

export interface Person {
  readonly by: 'merchant' | 'administrator' | 'payer' | 'page'
  /** Empty if the connection was closed. */
  readonly ip: string
}
