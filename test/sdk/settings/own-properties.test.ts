import jQuery from 'jquery'
import { afterEach, expect, test } from 'vitest'
import { cleanValue } from '../../../sdk/card/card.ts'
import { createDefaults, resolveSettings } from '../../../sdk/settings/options.ts'
import type { MondidoOptions } from '../../../sdk/types.ts'
import { mountAtBank, pass, useBank } from '../helpers/bank.ts'
import { addForm, input, press } from '../helpers/shop.ts'

/*
 * Tests of pages whose scripts add properties to every object. The library must read only own
 * properties.
 */

const bank = useBank()
const polluted: string[] = []

/** Adds a property to every object, like a script of the page. */
function pollute(name: string, value: unknown): void {
  Object.defineProperty(Object.prototype, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  })
  polluted.push(name)
}

afterEach(() => {
  for (const name of polluted.splice(0)) Reflect.deleteProperty(Object.prototype, name)
})

const OPTIONS = Object.keys(resolveSettings(document.createElement('form'), {}, createDefaults()))
const NAMES = [
  ...OPTIONS,
  'merchant_id',
  'public_key',
  'delegate',
  ...['paying', 'paid', 'before', 'request', 'leave'],
]
const FIELDS = ['card_number', 'card_cvv', 'card_expiry', 'card_type', 'amount', 'process']

test.for(NAMES)('options are unchanged if every object has %s', (name) => {
  const form = addForm({ attributes: 'data-mondido-locale="sv"' })
  const options: MondidoOptions = { type: 'ajax', merchantId: '1', busyClass: 'mine' }
  const read = () => JSON.stringify(resolveSettings(form, options, createDefaults()))
  const before = read()
  pollute(name, 'form')
  expect(read()).toBe(before)
})

test.for([...NAMES, ...FIELDS])('a payment is the same if every object has %s', async (name) => {
  const thrown = () => {
    throw new Error('not ours')
  }
  pollute(name, FIELDS.includes(name) ? thrown : 'form')
  const form = mountAtBank(bank, { mpi: false, validate: 'card', format: true })
  input(form, 'card_number').dispatchEvent(new Event('input'))
  const told = document.querySelector('[role=status]')
  press(form)
  expect(told?.textContent).toBe('Paying…')
  await pass(1_000)
  expect([bank.events, told?.textContent]).toEqual([
    ['payment:success'],
    'The payment is complete.',
  ])
  expect(bank.requests.map(({ url }) => url)).toEqual(['https://api.test/v1/transactions'])
  expect(Object.keys(bank.requests[0]?.fields ?? {})).toContain('card_number')
})

test.for(['toString', 'constructor', 'valueOf', 'hasOwnProperty'])(
  '%s is an ordinary name',
  (name) => {
    expect(cleanValue(name, '12 34')).toBe('12 34')
    expect(() => Reflect.apply(jQuery.fn.mondido, jQuery('<form>'), [name])).toThrow(
      'command.unknown',
    )
  },
)
