import { describe, expect, test } from 'vitest'
import { STATES } from '../../../../mock-gateway/domain/order/states.ts'
import { openDatabase } from '../../../../mock-gateway/storage/database.ts'
import { STEPS, type VisitAction } from '../../../../mock-gateway/web/hosted/steps.ts'
import type { PageState } from '../../../../mock-gateway/web/hosted/visit.ts'
import { CARD, prepared, START } from '../../../helpers/gateway.ts'
import { share } from '../../../helpers/shared.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { filePlace, sharedPlace } from '../../storage/databases.ts'
import { controlOf } from '../control/client.ts'

const database = await sharedPlace(filePlace)
const shop = await sharedGateway({ database })
const data = await share(openDatabase(database))
const control = controlOf(shop.gateway)
await control.post('/payment-links', { amount: '10.00', currency: 'sek' })
await control.post('/payment-links/1/close')

/**
 * Expected result of an action: status and heading of the page, or `error_name` and `status` of the
 * redirect.
 */
const FORM = '200 Pay Merchant 1'
const PAID = '303 thanks approved'
const TO_PAGE = '303 page'
const LEFT = (status: string) => `303 sorry ${status} errors.payment.canceled`
const RECEIPT = '200 The payment is complete'
const RESERVED = '200 The amount is reserved'
const EXPIRED = '410 The time to pay has run out'
const USED_UP = '410 The payment failed'
const UNPAYABLE = '400 This order cannot be paid'
const LINK_OVER = '410 This link is no longer valid'
const WAITING = 'Confirm the payment at your bank'
const THANKS = (status: string) => `303 thanks ${status}`

/** Returns the results of all actions for a payment that can be paid and has this status. */
const PAYABLE = (status: string) => ({
  show: FORM,
  return: LEFT(status),
  pay: PAID,
  cancel: LEFT(status),
  extend: TO_PAGE,
  answer: TO_PAGE,
  back: TO_PAGE,
  remove_card: TO_PAGE,
})
const DONE = (status: string, show: string) => ({
  show,
  return: THANKS(status),
  pay: THANKS(status),
  cancel: TO_PAGE,
  extend: TO_PAGE,
  answer: THANKS(status),
  back: TO_PAGE,
  remove_card: TO_PAGE,
})
const always = (result: string): Record<VisitAction, string> => ({
  show: result,
  return: result,
  pay: result,
  cancel: result,
  extend: result,
  answer: result,
  back: result,
  remove_card: result,
})
/** Every page state of a payment, combined with every action of a payer at its address. */
const MATRIX: Readonly<Record<PageState, Readonly<Record<VisitAction, string>>>> = {
  pending: PAYABLE('pending'),
  declined: PAYABLE('declined'),
  failed: PAYABLE('failed'),
  '3ds pending': { ...always(TO_PAGE), show: `200 ${WAITING}` },
  waiting: {
    ...always(TO_PAGE),
    show: '200 Approve the payment at your bank',
    cancel: LEFT('pending'),
    answer: PAID,
  },
  authorized: DONE('authorized', RESERVED),
  'capture pending': DONE('capture pending', RECEIPT),
  approved: DONE('approved', RECEIPT),
  expired: {
    ...always(TO_PAGE),
    show: EXPIRED,
    return: '303 sorry pending errors.transaction.timeout',
  },
  used_up: {
    ...always(TO_PAGE),
    show: USED_UP,
    return: '303 sorry failed errors.payment.failed',
    cancel: '303 sorry failed errors.payment.failed',
  },
  unpayable: {
    ...always(TO_PAGE),
    show: UNPAYABLE,
    return: '303 sorry pending errors.amount.invalid',
    cancel: '303 sorry pending errors.amount.invalid',
  },
  link_over: {
    ...always(TO_PAGE),
    show: LINK_OVER,
    return: '303 sorry pending errors.transaction.timeout',
    cancel: '303 sorry pending errors.transaction.timeout',
  },
}

/** Returns the columns of a transaction in a state. */
const COLUMNS = (pageState: PageState): object => {
  if (pageState === 'expired') return { expires_at: START }
  if (pageState === 'unpayable') return { amount: 0, amount_text: '0.00' }
  if (pageState === 'link_over') return { payment_link_id: 1 }
  if (pageState === 'waiting') return { payment_method: 'bank', answer_by: START + 60_000 }
  return pageState === 'used_up' ? { status: 'failed', tries: 10 } : { status: pageState }
}

test('the table has every status, and payable ones have the form', () => {
  expect(Object.keys(MATRIX).sort()).toEqual(Object.keys(STEPS).sort())
  for (const [status, { payable }] of Object.entries(STATES))
    expect([status, STEPS[status as PageState].show === STEPS.pending.show]).toEqual([
      status,
      payable,
    ])
})

const CASES = Object.entries(MATRIX).flatMap(([pageState, actions]) =>
  Object.entries(actions).map(
    ([action, result]) => [pageState as PageState, action as VisitAction, result] as const,
  ),
)

describe.each(CASES)('a payment that is %s', (pageState, action, result) => {
  test(`answers ${action} with ${result}, in the language of the merchant`, async () => {
    const { body } = await shop.post('/v1/transactions', prepared({ locale: 'en' }))
    await data.db
      .updateTable('transactions')
      .set(COLUMNS(pageState))
      .where('id', '=', body.id)
      .execute()
    const before = await rowOf(body.id)
    const path = new URL(body.href).pathname
    const answer =
      action === 'show' || action === 'return'
        ? await shop.browser.get<string>(action === 'show' ? path : `${path}/back`)
        : await shop.browser.submit(
            path,
            action === 'pay'
              ? CARD
              : { action, ...(action === 'answer' ? { answer: 'approved' } : {}) },
          )
    expect(`${answer.status} ${seenIn(answer)}`).toBe(result)
    if (answer.status !== 303) expect(answer.body).toContain('<html lang="en">')
    const after = await rowOf(body.id)
    const isPaid = result === PAID && before?.status !== 'approved'
    expect(after).toMatchObject(
      isPaid ? { status: 'approved', tries: action === 'pay' ? 1 : 0 } : { ...before },
    )
  })
})

const rowOf = (id: number) =>
  data.db
    .selectFrom('transactions')
    .select(['status', 'tries', 'expires_at'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Returns the heading of a page, or the target and parameters of a redirect. */
function seenIn({
  headers,
  body,
}: {
  readonly headers: Headers
  readonly body: string
}): string | undefined {
  const location = headers.get('location')
  if (location === null) return /<h1[^>]*>([^<]*)</.exec(body)?.[1]
  const { pathname, searchParams } = new URL(location)
  const place = pathname.startsWith('/v1/form') ? 'page' : pathname.slice(1)
  return [place, searchParams.get('status'), searchParams.get('error_name')]
    .filter((each) => each !== null)
    .join(' ')
}
