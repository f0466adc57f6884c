import { afterEach, expect, test } from 'vitest'
import {
  getFieldValue,
  isTestPayment,
  type Snapshot,
  takeSnapshot,
} from '../../../sdk/form/snapshot.ts'

const OPTIONS = {
  attributes: ['data-encrypt-attribute', 'data-encrypted-attribute'],
  ignore: '[data-mondido-ignore]',
}

afterEach(() => {
  document.body.innerHTML = ''
})

function snapshotOf(html: string, submitter?: string): Snapshot {
  document.body.innerHTML = `<form id="f">${html}</form>`
  const button = submitter ? document.querySelector<HTMLElement>(submitter) : null
  return takeSnapshot(document.getElementById('f') as HTMLFormElement, OPTIONS, button)
}
const secretsOf = (html: string) => snapshotOf(html).secrets.map(([name, value]) => [name, value])

test.for<[string, string, [string, string][]]>([
  ['a text input', '<input name="a" value="1">', [['a', '1']]],
  ['an empty input', '<input name="a">', [['a', '']]],
  ['a hidden input', '<input type="hidden" name="a" value="1">', [['a', '1']]],
  ['a textarea', '<textarea name="a">x\ny</textarea>', [['a', 'x\ny']]],
  ['a select', '<select name="a"><option>1<option selected>2</select>', [['a', '2']]],
  [
    'a multiple select',
    '<select name="a" multiple><option selected>1<option>2<option selected>3</select>',
    [
      ['a', '1'],
      ['a', '3'],
    ],
  ],
  [
    'a disabled option',
    '<select name="a" multiple><option selected disabled>1<option selected>2</select>',
    [['a', '2']],
  ],
  ['a checked checkbox', '<input type="checkbox" name="a" value="true" checked>', [['a', 'true']]],
  ['an unchecked checkbox', '<input type="checkbox" name="a" value="true">', []],
  [
    'the checked radio',
    '<input type="radio" name="a" value="1"><input type="radio" name="a" value="2" checked>',
    [['a', '2']],
  ],
  ['a disabled input', '<input name="a" value="1" disabled>', []],
  ['an input without a name', '<input value="1">', []],
  [
    'an unpressed button',
    '<button name="a" value="1"></button><input type="submit" name="b" value="1">',
    [],
  ],
  ['an ignored input', '<input name="a" value="1" data-mondido-ignore>', []],
  ['an input elsewhere with form="f"', '</form><input name="a" value="1" form="f">', [['a', '1']]],
  [
    'repeated names',
    '<input name="a" value="1"><input name="a" value="2">',
    [
      ['a', '1'],
      ['a', '2'],
    ],
  ],
])('%s gives %j', ([, html, plain]) => {
  expect(snapshotOf(html).plain).toEqual(plain)
})

test.for<[string, string, [string, string][]]>([
  [
    'the documented attribute',
    '<input data-encrypt-attribute="card_cvv" value="200">',
    [['card_cvv', '200']],
  ],
  ['its alias', '<input data-encrypted-attribute="card_cvv" value="200">', [['card_cvv', '200']]],
  [
    'an attribute without a value: the input’s own name',
    '<input name="card_cvv" data-encrypt-attribute value="200">',
    [['card_cvv', '200']],
  ],
  [
    'a select',
    '<select data-encrypt-attribute="card_type"><option selected>VISA</select>',
    [['card_type', 'VISA']],
  ],
  ['a textarea', '<textarea data-encrypt-attribute="note">x</textarea>', [['note', 'x']]],
  [
    'the checked radio',
    '<input type="radio" data-encrypt-attribute="a" value="1"><input type="radio" data-encrypt-attribute="a" value="2" checked>',
    [['a', '2']],
  ],
  ['a disabled input', '<input data-encrypt-attribute="card_cvv" value="200" disabled>', []],
  [
    'an ignored input',
    '<input data-encrypt-attribute="card_cvv" value="200" data-mondido-ignore>',
    [],
  ],
])('these elements are encrypted: %s', ([, html, secrets]) => {
  expect(secretsOf(html)).toEqual(secrets)
})

test.for<[string, string]>([
  ['its own name', '<input name="number" data-encrypt-attribute="card_number" value="4111">'],
  [
    'the parameter’s name',
    '<input name="card_number" data-encrypt-attribute="card_number" value="4111">',
  ],
  [
    'the parameter’s name on another input',
    '<input data-encrypt-attribute="card_number" value="4111"><input name="card_number" value="4111">',
  ],
  [
    'the parameter’s name while it is disabled',
    '<input data-encrypt-attribute="card_number" disabled><input name="card_number" value="4111">',
  ],
])('no plain value of an encrypted parameter is among the plain fields, with %s', ([, html]) => {
  expect(snapshotOf(html).plain).toEqual([])
})

test('an unencrypted input may have the same name as an encrypted one', () => {
  const { plain } = snapshotOf(
    '<input name="n" data-encrypt-attribute="card_number" value="4"><input name="n" value="x">',
  )
  expect(plain).toEqual([['n', 'x']])
})

test('an annotated input without a parameter is reported', () => {
  expect(snapshotOf('<input data-encrypt-attribute value="4">').unnamed).toHaveLength(1)
})

test('the pressed button is sent in its place', () => {
  const html =
    '<input name="a" value="1"><button name="go" value="now" id="b"></button><input name="c" value="2">'
  expect(snapshotOf(html, '#b').plain).toEqual([
    ['a', '1'],
    ['go', 'now'],
    ['c', '2'],
  ])
})

test('enabled file inputs with a name are distinguished', () => {
  const html =
    '<input type="file" name="a"><input type="file"><input type="file" name="b" disabled>'
  expect(snapshotOf(html).files.map(({ name }) => name)).toEqual(['a'])
})

test('if a parameter has several values, the last non-empty value counts', () => {
  const snapshot = snapshotOf('<input name="test" value=" true "><input name="test" value="">')
  expect(getFieldValue(snapshot, 'test')).toBe('true')
})

test.for<[string, boolean]>([
  ['true', true],
  ['1', true],
  ['TRUE', true],
  ['false', false],
  ['0', false],
  ['', false],
])('test=%s: a test payment is %s', ([value, expected]) => {
  expect(isTestPayment(snapshotOf(`<input name="test" value="${value}">`))).toBe(expected)
})
