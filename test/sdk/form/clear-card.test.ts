import jQuery from 'jquery'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { holdsCardNumber } from '../../../sdk/card/card.ts'
import { addForm, CARD_NUMBER, failure, press } from '../helpers/shop.ts'
import { useStage } from '../helpers/stage.ts'

const stage = useStage()
beforeEach(() => void vi.spyOn(HTMLFormElement.prototype, 'submit').mockReturnValue())

describe.for(['ajax', 'form'] as const)('with type %s', (type) => {
  test.for<[what: string, name: string, value: string, isTest: string]>(
    ['true', 'false'].flatMap((isTest) => [
      ['under its own name', 'card_number', '4111 1111 1111 1111', isTest],
      ['under another name', 'number', CARD_NUMBER, isTest],
      ['in card_holder', 'card_holder', CARD_NUMBER, isTest],
      ['within a text', 'metadata[note]', `please take ${CARD_NUMBER}, 12/30`, isTest],
      ['as the security code', 'card_cvv', '200', isTest],
    ]),
  )('card data %s (%s) stop the submit, test=%4$s', async ([, name, value, isTest]) => {
    const form = addForm({ fields: { test: isTest, [name]: value } })
    form.querySelector(`[data-encrypt-attribute=${CSS.escape(name)}]`)?.remove()
    jQuery(form).mondido({ type, mpi: false })
    const end = failure(form)
    press(form)
    expect(await end).toMatchObject({
      code: 'form.clear_card_data',
      outcome: 'not_sent',
      retryable: false,
    })
    expect(stage.gateway.payments).toEqual([])
    expect(HTMLFormElement.prototype.submit).not.toHaveBeenCalled()
    const [told] = stage.errors.flat()
    expect(told).toContain(`Card data in ${name} would be sent unencrypted.`)
    expect(JSON.stringify(stage.errors)).not.toContain(value)
  })
})

test('ignored controls are not searched, and a stored card’s token is not a card number', async () => {
  const extra = `<input name="copy" value="${CARD_NUMBER}" data-mondido-ignore>`
  const form = addForm({
    fields: { customer_ref: '1700000000000', token: 'a4111111111111111' },
    extra,
  })
  jQuery(form).mondido()
  press(form)
  expect(HTMLFormElement.prototype.submit).toHaveBeenCalledOnce()
})

test.for<[string, boolean]>([
  [CARD_NUMBER, true],
  ['4111-1111-1111-1111', true],
  ['4111 1111 1111 1111', true],
  ['4111.1111.1111.1111', true],
  ['４１１１１１１１１１１１１１１１', true],
  ['٤١١١-١١١١-١١١١-١١١١', true],
  ['order_4111111111111111', true],
  ['12 4111 1111 1111 1111 12/30 200', true],
  ['{"a":"378282246310005"}', true],
  ['4111111111111112', false],
  ['1111111111111117', false],
  ['41111111111111114', false],
  ['f4111111111111111', false],
  ['4222222222222', false],
  ['2026-11-22 19:37:19.123456', false],
  ['', false],
])('the check finds a card number in %s: %s', ([text, holds]) =>
  expect(holdsCardNumber(text)).toBe(holds),
)

test('a text of 20 KB is searched in linear time, whatever it repeats', () => {
  for (const piece of ['4111111111111112 ', '1 ', '4'.repeat(17), 'a-', '1.'])
    expect(holdsCardNumber(piece.repeat(20_000 / piece.length))).toBe(false)
})
