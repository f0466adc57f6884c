/** A merchant's page in TypeScript, with code that must compile, and code that must not compile. */
import {
  configure,
  createMondido,
  encrypt,
  install,
  type MondidoError,
  type MondidoOptions,
} from '../../../sdk/index.ts'

const form = document.forms[0] as HTMLFormElement

const options: MondidoOptions = {
  type: 'ajax',
  validate: (own) =>
    own.checkValidity() ? [] : [{ field: 'card_holder', code: 'shop.name', message: 'Your name' }],
  timeouts: { before: 10_000 },
  messages: { paid: 'Thanks!' },
  mpi: 'popup',
}

install(jQuery)
configure({ merchantId: '1', publicKey: '', apiUrl: '', payUrl: '', cdnUrl: '' })

jQuery(form)
  .mondido(options)
  .on('payment:before', () => Promise.resolve(true))
  .on('payment:before', (event, { attempt }) => event.waitUntil(fetch(`/stock/${attempt}`)))
  .on('payment:success', (event, { status }) => [event.mondido.state, status])
  .one('payment:fail', (_event, error: MondidoError) => error.description)
  .on('payment:fail', (_event, { outcome, transaction }) => [outcome, transaction?.href])
  .mondido('submit')
  .addClass('paying')

form.addEventListener('mondido:before', (event) =>
  event.waitUntil(Promise.resolve(event.detail.form.id)),
)
form.addEventListener('mondido:fail', ({ detail }) => detail.outcome === 'unknown')

const state: 'idle' | 'before' | 'encrypting' | 'mpi' | 'sending' | 'success' | 'fail' =
  jQuery(form).mondido('state')
const outcome: 'not_sent' | 'rejected' | 'pending' | 'unknown' | null =
  jQuery(form).mondido('abort')
const attempt: string | null | undefined = jQuery(form).mondido('instance')?.attempt
const value: string = encrypt('4111111111111111') + jQuery.mondido.encrypt('200')
jQuery(document).mondido({ delegate: 'form.pay' })
jQuery.mondido.defaults.type = 'ajax'
createMondido(form, options).submit()
export const results = { state, outcome, attempt, value }

// @ts-expect-error: there is no such type of payment
jQuery(form).mondido({ type: 'popup' })
// @ts-expect-error: there is no such option
createMondido(form, { sucess: () => undefined })
// @ts-expect-error: there is no such command
jQuery(form).mondido('pay')
// @ts-expect-error: the state is read only
createMondido(form).state = 'idle'
// @ts-expect-error: a transaction has no such member
form.addEventListener('mondido:success', ({ detail }) => detail.outcome.length)
