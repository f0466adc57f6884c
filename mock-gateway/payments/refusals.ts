import { GatewayError } from '../domain/errors/errors.ts'

export const paymentRefTaken = (cause?: unknown) =>
  new GatewayError('errors.payment_ref.processed', {
    explain:
      'Another transaction with this payment_ref is authorized, approved or being processed; each order needs its own',
    cause,
  })

export const transactionNotFound = () =>
  new GatewayError('errors.transaction.not_found', { explain: 'The merchant has no transaction with this id' })

/** Of two changes at the same moment one wins; this is for the other. */
export const changedMeanwhile = () =>
  new GatewayError('errors.transaction.locked', {
    explain: 'Another request changed the transaction at the same moment; read it again',
  })
