import { expect, test } from 'vitest'
import { waysIn } from './ways.ts'

const ORIGIN = 'http://localhost:4400'

const PAGE = `<html><a href="?lang=sv&amp;x=1">S</a><a href="https://shop.example/">Shop</a>
<form id="remove" method="post"><input type="hidden" name="action" value="remove&quot;"></form>
<button form="remove" name="card" value="7">Remove</button>
<form method="post" action="/v1/acs/abc?lang=sv"><input type="radio" name="answer" value="no"><input name="code">
<input type="radio" name="answer" value="yes" checked><select name="month"><option>1</option><option selected>2</option>
</select></form>`

test('forms and links of a page are found, with possible values and only at the same origin', () => {
  const path = '/v1/form/abc'
  expect(waysIn(ORIGIN, `${path}?a=b`, PAGE, null)).toEqual([
    { method: 'POST', path, fields: { a: ['b'], action: ['remove"'], card: ['7'] } },
    {
      method: 'POST',
      path: '/v1/acs/abc',
      fields: { lang: ['sv'], answer: ['yes', 'no'], code: [''], month: ['2', '1'] },
    },
    { method: 'GET', path, fields: { lang: ['sv'], x: ['1'] } },
  ])
})

test('redirects and addresses in JSON are found', () => {
  const way = { method: 'GET', path: '/pay/abc', fields: {} }
  expect(waysIn(ORIGIN, '/', '', '/pay/abc')).toEqual([way])
  expect(waysIn(ORIGIN, '/', '', 'https://shop.example/')).toEqual([])
  expect(
    waysIn(ORIGIN, '/', `{"href":"${ORIGIN}/pay/abc","url":"https://shop.example/"}`, null),
  ).toEqual([way])
})
