/**
 * Who does something to a payment, as its log shows it (our decision): the merchant logged in, the payer by the browser
 * library or a form, whoever has the payment page or a page of the bank open, or the gateway because a time has come.
 */
export type Actor =
  | { readonly by: 'merchant' | 'payer' | 'page' /** Empty of a connection that has gone. */; readonly ip: string }
  | { readonly by: 'gateway' }
