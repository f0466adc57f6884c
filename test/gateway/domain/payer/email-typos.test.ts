import { expect, test } from 'vitest'
import { suggestAddress } from '../../../../mock-gateway/domain/payer/email-typos.ts'

test.each([
  ['anna@gmial.com', 'anna@gmail.com'],
  ['anna@gmai.com', 'anna@gmail.com'],
  ['anna@gmaill.com', 'anna@gmail.com'],
  ['anna@gmail.con', 'anna@gmail.com'],
  ['anna@gmail.co', 'anna@gmail.com'],
  ['anna@hotmal.se', 'anna@hotmail.se'],
  ['anna@outlok.com', 'anna@outlook.com'],
  ['anna@icoud.com', 'anna@icloud.com'],
  ['anna@yhaoo.com', 'anna@yahoo.com'],
  ['anna@shop.example.con', 'anna@shop.example.com'],
  ['anna@shop.ney', 'anna@shop.net'],
  ['anna@gmail.com.', 'anna@gmail.com'],
  [' Anna.B+x@GMIAL.com ', 'Anna.B+x@gmail.com'],
])('%s was probably meant as %s', (typed, meant) => {
  expect(suggestAddress(typed)).toBe(meant)
})

test.each([
  'anna@gmail.com',
  'anna@GMAIL.com',
  'anna@ymail.com',
  'anna@mail.com',
  'anna@hotmail.se',
  'anna@live.no',
  'anna@hotmail.nl',
  'anna@outlook.de',
  'anna@yahoo.es',
  'anna@example.com',
  'anna@kth.se',
  'anna@shop.example.cm',
  'anna@commune.fr',
  'anna@gmial',
  'gmial.com',
  'a b@gmial.com',
  '',
])('%s is accepted, or is not an address', (typed) => {
  expect(suggestAddress(typed)).toBeUndefined()
})
