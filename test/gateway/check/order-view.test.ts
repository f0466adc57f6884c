import { expect, test } from 'vitest'
import { countMostFulfilled } from '../../../mock-gateway/check/order-view.ts'
import { readPlan } from '../../../mock-gateway/check/plan.ts'
import { toOrderView } from '../../../mock-gateway/check/plan-schema.ts'

const shown = { status: 'paid', key: 'a=b', mails: 1 }

test.each([
  [true, true],
  [1, true],
  ['1', true],
  ['yes', true],
  [false, false],
  [0, false],
  ['no', false],
  ['', false],
  [null, false],
])('the value %j of "paid" means %s', (paid, expected) => {
  expect(toOrderView({ paid }, { paid: 'paid' }).paid).toBe(expected)
})

test('a text at "paid" is a mistake of the plan', () => {
  expect(() => toOrderView(shown, { paid: 'status' })).toThrow(
    /"paid" needs a number, true or false\. Write a condition, such as "status = 'paid'"/,
  )
})

test.each([
  ["status = 'paid'", true],
  ["status = 'new'", false],
  ["key = 'a=b'", true],
])('the condition %s is %s', (paid, expected) => {
  expect(toOrderView(shown, { paid }).paid).toBe(expected)
})

test('an order without parts is not fulfilled', () => {
  expect(countMostFulfilled(toOrderView(shown, { fulfilled: {} }))).toBe(0)
})

test('a command gets the number of an order as it is, without the encoding of addresses', async () => {
  const program = 'console.log(JSON.stringify({ amount: process.argv[1] }))'
  const order = { command: [process.execPath, '-e', program, '{payment_ref}'], amount: 'amount' }
  const plan = JSON.stringify({ buy: { post: '/buy' }, order })
  const { amount } = await readPlan(plan, 'http://shop.test', 'http://gateway.test').order('A/1 b')
  expect(amount).toBe('A/1 b')
})
