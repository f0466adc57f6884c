import { paint } from '../paint.ts'
import { StartError } from '../start-error.ts'
import { getText, type RunVerb } from './verb.ts'

/** `mondido-gateway pay 12.50 eur`. */
export const run: RunVerb = async (given, { connect, show }) => {
  const { client, merchant } = await connect()
  if (merchant.password === '' || merchant.secret === '')
    throw new StartError(
      `pay needs MONDIDO_PASSWORD and MONDIDO_SECRET of merchant ${merchant.id}.`,
      2,
    )
  const [amount = '10.00', currency = 'sek'] = given.words
  const paid = await client.createTransaction({
    amount: /^\d+$/.test(amount) ? `${amount}.00` : amount,
    currency,
    payment_ref: getText(given, 'ref') ?? `cli-${crypto.randomUUID().slice(0, 8)}`,
    test: true,
    card_number: (getText(given, 'card') ?? '4111111111111111').replaceAll(' ', ''),
    card_holder: 'Kim Berg',
    card_expiry: '1230',
    card_cvv: getText(given, 'cvv') ?? '200',
    ...(given.flags.authorize ? { authorize: true } : {}),
  })
  const what = `${paid.amount} ${paid.currency}, payment_ref ${paid.payment_ref}, transaction ${paid.id}`
  show(paid, [`${paint('green', paid.status)} ${what}`])
  return 0
}
