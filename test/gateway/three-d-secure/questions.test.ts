import { expect, test } from 'vitest'
import type { QuestionKind } from '../../../mock-gateway/domain/card/bank-questions.ts'
import type { Fields } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { controlOf } from '../web/control/client.ts'
import { pathOf, payerAt, queryOf } from './payer.ts'

const shop = await sharedGateway()
const control = controlOf(shop.gateway)

const asking = (question: QuestionKind): Fields => ({
  metadata: JSON.stringify({ service_instructions: { three_d_secure: { question } } }),
})

/** Sends answers one after the other, without a script, until the payment ends. */
async function through(question: QuestionKind, answers: readonly Fields[]) {
  const payer = payerAt(shop)
  const { address } = await payer.pay(asking(question))
  let page = await payer.open(pathOf(address))
  for (const answer of answers) page = await payer.atBank(address, answer)
  // Follows the plain link of the page.
  page = await payer.open(pathOf(address))
  if (page.html.includes('name="cres"')) page = await payer.pressContinue(page.html)
  return { bank: address, ...page }
}

const answer = (...given: string[]): Fields => ({ action: 'answer', answer: given.join(',') })
const ticked = (...given: string[]): Fields => ({
  action: 'answer',
  ...Object.fromEntries(given.map((one) => [`answer[${one}]`, 'true'])),
})

/** Challenge type, given answer, and result of the payment. */
const ENDS: readonly (readonly [QuestionKind, readonly Fields[], string])[] = [
  ['code', [{ code: '12 34' }], 'approved'],
  ['code', [{ code: '1' }, { code: '2' }, { code: '3' }], 'errors.mpi.not_approved'],
  [
    'code',
    [{ code: '1' }, { code: '2' }, { code: '3' }, { code: '1234' }],
    'errors.mpi.not_approved',
  ],
  ['code', [{ code: '0000' }, { code: '1234' }], 'errors.mpi.not_approved'],
  ['app', [answer('deny'), answer('approve')], 'errors.mpi.not_approved'],
  ['app', [answer('approve')], 'approved'],
  ['app', [answer('deny')], 'errors.mpi.not_approved'],
  ['app', [answer('timeout')], 'errors.transaction.timeout'],
  ['app', [{ action: 'cancel' }], 'errors.payment.canceled'],
  ['choice', [answer('train'), answer('cafe')], 'approved'],
  ['choice', [answer('train'), answer('books'), answer('shoes')], 'errors.mpi.not_approved'],
  ['choice', [answer('cancel')], 'errors.payment.canceled'],
  ['choices', [ticked('cafe'), ticked('cafe', 'train')], 'approved'],
  ['choices', [ticked('none')], 'errors.mpi.not_approved'],
  ['choices', [answer('timeout')], 'errors.transaction.timeout'],
  ['bankid', [answer('sign'), answer('scan'), answer('sign')], 'approved'],
  ['bankid', [answer('scan'), answer('deny')], 'errors.mpi.not_approved'],
  ['bankid', [answer('scan'), answer('cancel')], 'errors.payment.canceled'],
  ['bankid', [{ action: 'case', case: '8' }], 'waiting'],
  ['choice', [{ action: 'case', case: '3' }], 'approved'],
  ['app', [{ action: 'case', case: '19' }], 'errors.mpi.disabled'],
]

test.each(ENDS)(
  "the bank's challenge %s, is answered with %j, and the payment ends: %s",
  async (question, answers, ends) => {
    const { address, html } = await through(question, answers)
    const query = URL.canParse(address) ? queryOf(address) : {}
    const ended = html === '' ? (query.error_name ?? query.status) : 'waiting'
    expect(ended).toBe(ends)
  },
)

test('a challenge in an app is answered in a second window, which shows the given answer', async () => {
  const payer = payerAt(shop)
  const { address, html } = await payer.pay(asking('bankid'))
  const app = `${pathOf(address)}/app?lang=en`
  expect(html).toContain(`${address}/app`)
  expect((await payer.open(app)).html).toMatch(/>Scan the code<.*>The payer cancels</s)
  const scanned = await payer.atBank(`${address}?lang=en`, { action: 'app', answer: 'scan' })
  expect(scanned.html).toContain('>Sign<')
  const signed = await payer.atBank(`${address}?lang=en`, { action: 'app', answer: 'sign' })
  expect(signed.html).toContain('You answered: Sign.')
  expect(signed.html).not.toContain('<button name="answer"')
  // If the bank asks for a code, the app has no challenge to answer.
  const code = await payer.pay(asking('code'))
  expect((await payer.open(`${pathOf(code.address)}/app?lang=en`)).html).toContain(
    'nothing more to answer',
  )
})

test('can be answered through /_control, which also lists the possible answers', async () => {
  const payer = payerAt(shop)
  await control.post('/3ds/next?merchant_id=1', { question: 'bankid' })
  const { address } = await payer.pay({ payment_ref: 'in an app' })
  const to = (fields: Fields) => control.post('/3ds/answer?merchant_id=1', fields)
  expect(await to({ answer: 'sign', payment_ref: 'in an app' })).toMatchObject({
    status: 400,
    body: { code: 253 },
  })
  expect((await to({ answer: 'scan' })).body).toMatchObject({
    payment_ref: 'in an app',
    question: 'bankid',
    step: 'scanned',
    answered: false,
  })
  const { body } = await to({ answer: 'sign', payment_ref: 'in an app' })
  expect(body).toMatchObject({ answered: true, transaction_id: expect.any(Number) })
  const page = await payer.pressContinue((await payer.open(pathOf(address))).html)
  expect(queryOf(page.address)).toMatchObject({ status: 'approved' })
  expect(await to({ answer: 'sign', payment_ref: 'in an app' })).toMatchObject({ status: 404 })
  expect(await to({})).toMatchObject({ status: 400 })
  const story = await control.get<string>(`/stories/${String(body.transaction_id)}?merchant_id=1`)
  expect(String(story.body)).toMatch(/The payer at the bank: scan.*The payer at the bank: sign/s)
})

test('stores chosen answers, but no typed ones', async () => {
  const { address } = await through('code', [{ code: '987654' }, { code: '1234' }])
  const story = await control.get<string>(
    `/stories/${queryOf(address).transaction_id}?merchant_id=1`,
  )
  expect(String(story.body)).toMatch(/The payer at the bank: code/)
  expect(String(story.body)).not.toContain('987654')
  const chosen = queryOf((await through('choice', [answer('train'), answer('cafe')])).address)
  const { body } = await control.get<string>(`/stories/${chosen.transaction_id}?merchant_id=1`)
  expect(String(body)).toMatch(/The payer at the bank: choice.*The payer at the bank: cafe/s)
})
