import { describe, expect, test } from 'vitest'
import { findTestPerson, TEST_PERSONS } from '../../../mock-gateway/acquirer/test-persons.ts'
import {
  parseOrganisationNumber,
  parsePersonalNumber,
  shortenSwedishNumber,
} from '../../../mock-gateway/domain/payer/personal-numbers.ts'

describe('a personal number is read', () => {
  for (const [country, typed, read] of [
    ['SWE', '191212121212', '191212121212'],
    ['SWE', '19121212-1212', '191212121212'],
    ['SWE', ' 19121212 1212 ', '191212121212'],
    ['SWE', '197010632391', '197010632391'],
    ['NOR', '01010750160', '01010750160'],
    ['NOR', '010107 50160', '01010750160'],
    ['NOR', '01819010001', '01819010001'],
    ['FIN', '131052-308T', '131052-308T'],
    ['FIN', '131052-308t', '131052-308T'],
    ['FIN', '290276-308V', '290276-308V'],
    ['FIN', '131052U308T', '131052U308T'],
    ['FIN', '010190-901R', '010190-901R'],
  ] as const)
    test(`${typed} in ${country}`, () => expect(parsePersonalNumber(country, typed)).toBe(read))
})

describe('a number is rejected as a personal number', () => {
  for (const [country, typed, because] of [
    ['SWE', '191212121213', 'check digit'],
    ['SWE', '1212121212', 'no century'],
    ['SWE', '191213121211', 'month 13'],
    ['SWE', '191200121216', 'month 0'],
    ['SWE', '201902291234', '29 February of a common year'],
    ['SWE', '171212121212', 'century 17'],
    ['SWE', '191202301212', '30 February'],
    ['SWE', '19121212121a', 'a letter'],
    ['SWE', '', 'empty'],
    ['NOR', '01010750161', 'second check digit'],
    ['NOR', '01010750170', 'first check digit'],
    ['NOR', '0101075016', 'too short'],
    ['NOR', '01000750170', 'month 0'],
    ['NOR', '32010750112', 'day 32'],
    ['FIN', '131052-308U', 'check character'],
    ['FIN', '131052308T', 'no sign'],
    ['FIN', '300275-3088', '30 February'],
    ['FIN', '290275-308L', '29 February of a common year'],
    ['FIN', '131052-001W', 'serial below 002'],
  ] as const)
    test(`${typed} in ${country}: ${because}`, () =>
      expect(parsePersonalNumber(country, typed)).toBeUndefined())
})

test('29 February counts in leap years only, and in any year without its century', () => {
  expect(parsePersonalNumber('SWE', '200002291235')).toBe('200002291235')
  expect(parsePersonalNumber('SWE', '190002291235')).toBeUndefined()
  expect(shortenSwedishNumber('000229-1235')).toBe('0002291235')
})

describe('the number of a company', () => {
  for (const [country, typed, read] of [
    ['SWE', '556036-0793', '5560360793'],
    ['NOR', '974 760 673', '974760673'],
    ['FIN', '0112038-9', '01120389'],
    ['SWE', '556036-0794', undefined],
    ['SWE', '121212-1212', undefined],
    ['NOR', '974760674', undefined],
    ['FIN', '0112038-8', undefined],
  ] as const)
    test(`${typed} in ${country} is ${read ? `read as ${read}` : 'rejected'}`, () =>
      expect(parseOrganisationNumber(country, typed)).toBe(read))
})

describe('test persons', () => {
  test('have valid numbers in their normal form', () => {
    expect(TEST_PERSONS.map(({ country, number }) => parsePersonalNumber(country, number))).toEqual(
      TEST_PERSONS.map(({ number }) => number),
    )
  })

  test('are unique', () => expect(new Set(TEST_PERSONS.map(({ number }) => number)).size).toBe(15))

  test('cover every result in every country', () => {
    const answers = TEST_PERSONS.map(({ country, refusal = 'found' }) => `${country} ${refusal}`)
    expect(new Set(answers).size).toBe(15)
  })

  test('are found by their number only in their own country', () => {
    expect(findTestPerson('SWE', '9006022397')?.number).toBe('199006022397')
    expect(findTestPerson('NOR', '199006022397')).toBeUndefined()
    expect(findTestPerson('NOR', '819010001')).toBeUndefined()
  })
})
