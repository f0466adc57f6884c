const HREF = 'https://pay.test/v1/form/abc'
const refusal = (name: string, code: number) => ({ name, code, description: 'No.' })
const declined = refusal('errors.payment.declined', 129)
const undecrypted = refusal('errors.decryption.failed', 197)
const mpi = (of: object) => ({ event: 'mpi', ...of })

/** Transactions as the service answers them. */
const TRANSACTIONS = [
  { status: 'approved' },
  { status: 'authorized' },
  { status: 'pending', href: HREF },
  { status: '3ds pending', href: HREF },
  { status: '3ds pending' },
  { status: 'declined', error: declined },
  { status: 'failed' },
  { status: 'refunded' },
].map((of) => ({ id: 1, ...of }))

/** Possible answers of the service to a payment, a status request and a request for a key. */
export const ANSWERS: readonly (object | string | number)[] = [
  ...TRANSACTIONS,
  ...TRANSACTIONS.map((transaction) => ({ state: 'done', transaction })),
  declined,
  undecrypted,
  { state: 'done', error: declined },
  { state: 'done', error: undecrypted },
  { state: 'unknown' },
  { state: 'running' },
  mpi({ success: true, mpi_ref: 'm', eci: '05' }),
  mpi({ success: true }),
  mpi({ success: true, mpi_ref: 'm', nonce: 'another' }),
  mpi({ success: false, error: 'errors.mpi.failed' }),
  mpi({ success: false, error: 'errors.card_number.invalid', code: 126, description: 'No.' }),
  mpi({ status: 'pending', success: null, at_bank: true }),
  mpi({ status: 'pending', success: null, at_bank: false }),
  '<h1>Welcome</h1>',
  'another key',
  'the same key',
  400,
  403,
  404,
  500,
  503,
]
