import { expect, test } from 'vitest'
import {
  answersAt,
  BANK_QUESTIONS,
  firstStep,
  judgeAnswer,
  QUESTION_KINDS,
  questionOf,
} from '../../../../mock-gateway/domain/card/bank-questions.ts'

test.each([
  ['code', 'asked', ['1234'], 'right'],
  ['code', 'asked', ['1111'], 'wrong'],
  ['code', 'asked', ['0000'], 'N'],
  ['code', 'asked', ['constructor'], 'wrong'],
  ['choice', 'asked', ['cafe'], 'right'],
  ['choice', 'asked', ['train'], 'wrong'],
  ['choice', 'asked', ['cafe', 'train'], 'wrong'],
  ['choice', 'asked', ['none'], 'N'],
  ['choices', 'asked', ['train', 'cafe'], 'right'],
  ['choices', 'asked', ['cafe', 'cafe'], 'wrong'],
  ['choices', 'asked', ['cafe', 'train', 'books'], 'wrong'],
  ['choices', 'asked', ['cafe', 'none'], 'N'],
  ['app', 'waiting', ['approve'], 'right'],
  ['app', 'waiting', ['deny'], 'N'],
  ['app', 'waiting', ['1234'], undefined],
  ['bankid', 'waiting', ['scan'], 'scanned'],
  ['bankid', 'waiting', ['sign'], undefined],
  ['bankid', 'scanned', ['sign'], 'right'],
  ['bankid', 'scanned', ['scan'], undefined],
  [undefined, 'asked', ['1234'], 'right'],
] as const)('%s at %s: %o gives %s', (kind, step, given, gives) =>
  expect(judgeAnswer(kind, step, given)).toBe(gives),
)

test('every challenge type has its own steps, which a payer can answer correctly or refuse', () => {
  for (const kind of QUESTION_KINDS) {
    const { steps } = questionOf(kind)
    const given = Object.keys(steps).flatMap((step) => Object.values(answersAt(kind, step)))
    expect(given).toEqual(expect.arrayContaining(['right', 'N']))
    for (const gives of given)
      expect(['right', 'wrong', 'N', ...Object.keys(steps)]).toContain(gives)
    for (const step of Object.keys(steps))
      expect(step === firstStep(kind) || given.includes(step)).toBe(true)
  }
  expect(Object.keys(BANK_QUESTIONS)[0]).toBe('code')
})
