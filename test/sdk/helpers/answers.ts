/** Possible answers of the service, and their meaning for the client, as the model reads them. */

/** Result of a payment. */
type Fate = 'paid' | 'pending' | 'page' | 'declined' | 'old key'

/** Status of the authentication at the bank. */
type BankWord = 'passed' | 'wordless' | 'failed' | 'refused' | 'at bank' | 'gone' | 'not known'

export interface Answer {
  /** HTTP status. 0: no answer. */
  readonly status: number
  readonly body: object | string
  /** Meaning as an answer to the payment: its result, or the reason why the result is unknown. */
  readonly payment: Fate | { readonly lost: string }
  /** Meaning as an answer to a status request about the payment. */
  readonly asked: Fate | 'no such attempt' | undefined
  /** Meaning as an answer to a status request about the authentication. */
  readonly looked: BankWord | undefined
  /** Meaning as an answer to a request for a new key. */
  readonly key: 'another' | 'the same' | undefined
}

const HREF = 'https://pay.test/v1/form/abc'
const refusal = (name: string, code: number) => ({ name, code, description: 'No.' })
const transaction = (status: string, more = {}) => ({ id: 1, status, ...more })
const done = (of: object) => ({ state: 'done', ...of })

const NOTHING: Answer = {
  status: 200,
  body: '',
  payment: { lost: 'api.malformed' },
  asked: undefined,
  looked: undefined,
  key: undefined,
}

const says = (body: object | string, meant: Partial<Answer> = {}): Answer => ({
  ...NOTHING,
  body,
  ...meant,
})

/** Creates an answer whose body is not read. */
const bare = (status: number, meant: Partial<Answer> = {}): Answer => ({
  ...NOTHING,
  status,
  ...meant,
})

export const ANSWERS: Readonly<Record<string, Answer>> = {
  approved: says(transaction('approved'), { payment: 'paid' }),
  authorized: says(transaction('authorized'), { payment: 'paid' }),
  pending: says(transaction('pending', { href: HREF }), { payment: 'pending' }),
  'waits at its page': says(transaction('3ds pending', { href: HREF }), { payment: 'page' }),
  'waits without a page': says(transaction('3ds pending'), { payment: 'pending' }),
  declined: says(transaction('declined', { error: refusal('errors.payment.declined', 129) }), {
    payment: 'declined',
  }),
  'a status nobody knows': says(transaction('refunded')),
  refused: says(refusal('errors.payment.declined', 129), { status: 403, payment: 'declined' }),
  'cannot be decrypted': says(refusal('errors.decryption.failed', 197), {
    status: 400,
    payment: 'old key',
  }),
  'an error in its own form': says(refusal('errors.payment.declined', 129), {
    status: 500,
    payment: { lost: 'network.unreachable' },
  }),
  'a page of somebody else': says('<h1>Welcome</h1>'),
  'not found': bare(404, { looked: 'not known' }),
  busy: bare(503, { payment: { lost: 'network.unreachable' } }),
  'no such attempt': says({ state: 'unknown' }, { asked: 'no such attempt' }),
  'under way': says({ state: 'running' }),
  'was approved': says(done({ transaction: transaction('approved') }), { asked: 'paid' }),
  'was declined': says(done({ transaction: transaction('failed') }), { asked: 'declined' }),
  'was refused': says(done({ error: refusal('errors.payment.declined', 129) }), {
    asked: 'declined',
  }),
  'was not decrypted': says(done({ error: refusal('errors.decryption.failed', 197) }), {
    asked: 'old key',
  }),
  'is pending': says(done({ transaction: transaction('pending', { href: HREF }) }), {
    asked: 'pending',
  }),
  'is at its page': says(done({ transaction: transaction('3ds pending', { href: HREF }) }), {
    asked: 'page',
  }),
  'bank passed': says(
    { event: 'mpi', success: true, mpi_ref: 'm', eci: '05' },
    { looked: 'passed' },
  ),
  'bank passed, says no more': says({ event: 'mpi', success: true }, { looked: 'wordless' }),
  'bank failed': says(
    { event: 'mpi', success: false, error: 'errors.mpi.failed' },
    { looked: 'failed' },
  ),
  'bank step refused': says(
    {
      event: 'mpi',
      success: false,
      error: 'errors.card_number.invalid',
      code: 126,
      description: 'No.',
    },
    { looked: 'refused' },
  ),
  'at the bank': says(
    { event: 'mpi', status: 'pending', success: null, at_bank: true },
    { looked: 'at bank' },
  ),
  'has left the bank': says(
    { event: 'mpi', status: 'pending', success: null, at_bank: false },
    { looked: 'gone' },
  ),
  'another authentication': says({ event: 'mpi', success: true, mpi_ref: 'm', nonce: 'another' }),
  'another key': says('another key', { key: 'another' }),
  'the same key': says('the same key', { key: 'the same' }),
}
