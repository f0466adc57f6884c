import jQuery from 'jquery'
import { expect, test } from 'vitest'
import { HREF } from '../helpers/gateway.ts'
import { ending, failure, payableForm, press } from '../helpers/shop.ts'
import { useStage } from '../helpers/stage.ts'

const stage = useStage()
const quick = { timeouts: { statusRetry: 1 } }

test.for(['approved', 'authorized'])('a transaction that is %s is a success', async (status) => {
  const form = payableForm(quick)
  stage.gateway.breakNext({ status })
  const end = ending(form)
  press(form)
  expect(await end).toMatchObject({ transaction: { status } })
})

test.for(['pending', '3ds pending'])(
  'a transaction that is %s is pending at its page, and not a success',
  async (status) => {
    const form = payableForm(quick, { fields: { locale: 'sv' } })
    stage.gateway.breakNext({ status })
    const end = failure(form)
    press(form)
    const error = await end
    expect(error).toMatchObject({
      code: 'api.pending',
      outcome: 'pending',
      retryable: false,
      transaction: { href: HREF },
    })
    expect(error.message).toBe(`Betalningen är inte klar ännu. Fortsätt här: ${HREF}`)
    expect(jQuery(form).mondido('state')).toBe('fail')
  },
)

test.for(['declined', 'failed'])('a transaction that is %s is a decline', async (status) => {
  const form = payableForm(quick)
  stage.gateway.breakNext({ status })
  const end = failure(form)
  press(form)
  expect(await end).toMatchObject({ name: 'errors.payment.declined', outcome: 'rejected' })
})

test.for(['capture pending', 'refunded', 'constructor', ''])(
  'the unknown status "%s" has an unknown outcome',
  async (status) => {
    const form = payableForm(quick)
    stage.gateway.breakNext({ status })
    stage.gateway.breakLookups()
    const end = failure(form)
    press(form)
    expect(await end).toMatchObject({ code: 'api.malformed', outcome: 'unknown', retryable: false })
  },
)
