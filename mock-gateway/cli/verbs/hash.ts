import { makePrintable } from '../../domain/characters.ts'
import { type HashedRequest, pickHashedParts, requestHash } from '../../domain/order/hash.ts'
import { diagnoseHash } from '../../domain/order/hash-diagnosis.ts'
import { StartError } from '../start-error.ts'
import { getText, type RunVerb, UsageError } from './verb.ts'

/** `mondido-gateway hash A100 10.00 sek`. Needs no running gateway. */
export const run: RunVerb = async (given, { merchant, show }) => {
  const [paymentRef, amount, currency = 'sek'] = given.words
  if (paymentRef === undefined || amount === undefined)
    throw new UsageError('hash needs payment_ref and amount.')
  const { id, password, secret } = await merchant()
  if (secret === '')
    throw new StartError(`hash needs MONDIDO_SECRET, the secret of merchant ${id}.`, 2)
  const customerRef = getText(given, 'customer') ?? ''
  const request = pickHashedParts(id, {
    ...{ payment_ref: paymentRef, customer_ref: customerRef },
    ...{ amount, currency, test: !given.flags.live },
  })
  const hash = requestHash(request, secret)
  const lines = [hash, `md5 of ${makePrintable(writeParts(request))}`]
  const sent = getText(given, 'sent')
  if (sent === undefined) {
    show({ hash }, lines)
    return 0
  }
  if (sent === hash) {
    show({ hash, wrong: [] }, ['The hash is right.'])
    return 0
  }
  const mistaken = { 'the password': password }
  const wrong = diagnoseHash({ request, sent, secret, mistaken }, 'all')
  show({ hash, wrong }, [...(wrong.length > 0 ? wrong : [UNEXPLAINED]), 'Correct:', ...lines])
  return 1
}

const UNEXPLAINED =
  'No common mistake, or pair of mistakes, explains this hash. Probably the secret is wrong.'

/** Writes the hashed parts as a sum, without those that are empty. */
const writeParts = (request: HashedRequest): string =>
  [
    request.merchantId,
    request.paymentRef,
    request.customerRef,
    request.amount,
    request.currency.toLowerCase(),
    request.test ? 'test' : '',
    '<secret>',
  ]
    .filter((part) => part !== '')
    .join(' + ')
