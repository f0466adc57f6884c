import jQuery from 'jquery'
import { beforeEach, expect, test } from 'vitest'
import { addForm, ending, input, press } from '../helpers/shop.ts'
import { useStage } from '../helpers/stage.ts'

const stage = useStage()
let root: JQuery

beforeEach(() => {
  document.body.innerHTML = '<main></main>'
  root = jQuery('main')
})
const add = (attributes: string, id = 'pay') => {
  const form = addForm({ attributes, id })
  root.append(form)
  return form
}

test('present and later forms pay on the first press', async () => {
  const early = add('class="pay"', 'early')
  root.mondido({ delegate: 'form.pay', type: 'ajax' })
  const late = add('class="pay"', 'late')
  const ends = Promise.all([ending(early), ending(late)])
  press(early)
  press(late)
  expect(await ends).toMatchObject([
    { transaction: { status: 'approved' } },
    { transaction: { status: 'approved' } },
  ])
  expect(stage.gateway.payments).toHaveLength(2)
})

test('other forms are not changed', () => {
  root.mondido({ delegate: 'form.pay', type: 'ajax' })
  const other = add('')
  other.addEventListener('submit', (event) => event.preventDefault())
  press(other)
  expect(jQuery(other).mondido('instance')).toBeUndefined()
})

test('a later form is formatted from the first key press on', () => {
  root.mondido({ delegate: 'form.pay', type: 'ajax', format: true })
  const form = add('class="pay"')
  const number = input(form, 'card_number')
  number.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  expect(number.value).toBe('4111 1111 1111 1111')
})

test('a second call with the selector binds no second handler and changes options', async () => {
  const form = add('class="pay"')
  root
    .mondido({ delegate: 'form.pay', type: 'ajax' })
    .mondido({ delegate: 'form.pay', busyClass: 'mine' })
  const end = ending(form)
  press(form)
  expect(form.className).toBe('pay mine')
  await end
  expect(stage.gateway.payments).toHaveLength(1)
})

test('destroy releases all forms of the root and mounts no more', () => {
  const form = add('class="pay"')
  root.mondido({ delegate: 'form.pay', type: 'ajax' }).mondido('destroy')
  const late = add('class="pay"', 'late')
  for (const each of [form, late]) {
    each.addEventListener('submit', (event) => event.preventDefault())
    press(each)
    expect(jQuery(each).mondido('instance')).toBeUndefined()
  }
  expect(stage.gateway.payments).toEqual([])
})

test('an invalid selector is rejected, and changes nothing', () => {
  const form = add('')
  expect(() => root.mondido({ delegate: '[', type: 'ajax' })).toThrow("'[' is not a valid selector")
  form.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  expect(root.mondido('destroy')).toBe(root)
})
