import { createForgedAnswer, signAnswer } from '../../acquirer/three-d-secure/signed-answer.ts'
import {
  ENDING_ANSWERS,
  getBankQuestion,
  getFirstStep,
  judgeAnswer,
} from '../../domain/card/bank-questions.ts'
import type { RequestableResult } from '../../domain/card/three-d-secure.ts'
import { OUTCOMES } from '../../domain/card/three-d-secure-cases.ts'
import { changeOpenAuthentication, isFinallyAnswered } from '../../storage/authentications.ts'
import { findOne } from '../../storage/rows.ts'
import type { AuthenticationRow, BankStep } from '../../storage/tables/authentications.ts'
import type { OpenWork } from '../../work/work.ts'
import { CHALLENGE_MS } from './begin.ts'

/** Limits of a challenge: wrong answers until it ends, new codes, and extensions of the time. */
export const BANK_LIMITS = { wrongCodes: 3, newCodes: 3, extensions: 10 } as const

/** A payer's action at the bank. */
export type BankAction =
  /** A code, the chosen options, or the button pressed in the app. */
  | { readonly kind: 'answer'; readonly given: readonly string[] }
  | { readonly kind: 'result'; readonly result: RequestableResult }
  /** A test card's case, from 1. */
  | { readonly kind: 'case'; readonly number: number }
  | { readonly kind: 'new_code' | 'more_time' }

/**
 * Creates the action of an answer: one that ends every challenge, or one that only this challenge
 * accepts.
 */
export function createBankAction(given: readonly string[]): BankAction {
  const result = ENDING_ANSWERS.find((each) => given.length === 1 && each === given[0])
  return result ? { kind: 'result', result } : { kind: 'answer', given }
}

type Changes = Parameters<typeof changeOpenAuthentication>[2]

/** Changes by an action, with its step in the story; undefined without an effect. */
type BankReaction = readonly [changes: Changes, step: Omit<BankStep, 'at'>] | undefined

/** Returns the payer's current step in the challenge. */
export function findBankStep({ plan, steps }: Pick<AuthenticationRow, 'plan' | 'steps'>): string {
  const names = Object.keys(getBankQuestion(plan.question).steps)
  return (
    steps.findLast(({ gives }) => names.includes(gives ?? ''))?.gives ?? getFirstStep(plan.question)
  )
}

/** @param now epoch milliseconds */
const answerIs = (
  { plan }: Pick<AuthenticationRow, 'plan'>,
  answer: AuthenticationRow['answer'],
  now: number,
) => ({
  answer,
  answer_at: now + plan.delaySeconds * 1000,
})

/**
 * Applies an answer: the right one leads to the plan's result, the third wrong one fails.
 * @param now epoch milliseconds
 */
function reactToAnswer(
  row: AuthenticationRow,
  given: readonly string[],
  now: number,
): BankReaction {
  const { question } = row.plan
  const isTyped = getBankQuestion(question).by === 'typing'
  const gives = judgeAnswer(
    question,
    findBankStep(row),
    isTyped ? given.map((code) => code.replace(/\s/g, '')) : given,
  )
  if (gives === undefined) return undefined
  const chosen = gives === 'wrong' ? 'choice' : given.join(' and ')
  const step = { did: isTyped ? 'code' : chosen, gives }
  const wrong_codes = row.wrong_codes + 1
  if (gives === 'right') return [answerIs(row, row.plan.result, now), step]
  if (gives === 'N' || (gives === 'wrong' && wrong_codes >= BANK_LIMITS.wrongCodes))
    return [{ wrong_codes, ...answerIs(row, 'N', now) }, step]
  return [gives === 'wrong' ? { wrong_codes } : {}, step]
}

/** Returns the flow of an outcome that a tester chose during the challenge. */
function planOfCase(
  { plan }: AuthenticationRow,
  number: number,
): AuthenticationRow['plan'] | undefined {
  const outcome = OUTCOMES.get(number)
  if (!outcome) return undefined
  const { reason: _reason, ...asked } = plan
  const { result, delaySeconds, reason } = outcome
  return { ...asked, result, delaySeconds, ...(reason && { reason }) }
}

function decideReaction(row: AuthenticationRow, action: BankAction, now: number): BankReaction {
  switch (action.kind) {
    case 'answer':
      return reactToAnswer(row, action.given, now)
    case 'result':
      return [answerIs(row, action.result, now), { did: action.result }]
    case 'case': {
      const plan = planOfCase(row, action.number)
      return (
        plan && [
          { plan, ...answerIs({ plan }, plan.result, now) },
          { did: `case ${action.number}` },
        ]
      )
    }
    case 'new_code':
      return row.new_codes < BANK_LIMITS.newCodes
        ? [{ new_codes: row.new_codes + 1 }, { did: 'new_code' }]
        : undefined
    case 'more_time':
      return row.extensions < BANK_LIMITS.extensions
        ? [{ extensions: row.extensions + 1, expires_at: now + CHALLENGE_MS }, { did: 'more_time' }]
        : undefined
  }
}

function applyBankAnswer(row: AuthenticationRow, action: BankAction, now: number): Changes {
  const [changes, step] = decideReaction(row, action, now) ?? []
  return {
    ...changes,
    ...(step && { steps: [...row.steps, { at: now, ...step }].slice(-MAX_STEPS) }),
  }
}

/** Maximum number of stored steps of a payer, the newest. */
const MAX_STEPS = 50

/**
 * The payer comes to the bank, or does something there. The first final answer counts: a right code
 * after the third wrong one, or after a refusal, changes nothing.
 * @returns undefined when the authentication has ended
 */
export const answerAtBank = (work: OpenWork, row: AuthenticationRow, action?: BankAction) =>
  work.write(async ({ queries, now }) => {
    const current = (await findOne(queries, 'authentications', { ref: row.ref })) ?? row
    return changeOpenAuthentication(queries, row.id, {
      opened_at: current.opened_at ?? now,
      ...(action && !isFinallyAnswered(current) ? applyBankAnswer(current, action, now) : {}),
      updated_at: now,
    })
  })

/** Returns the bank's message for the payer's browser to send; undefined while there is none. */
export function writeSignedAnswer(
  { answer, answer_at, ref, key }: AuthenticationRow,
  now: number,
): string | undefined {
  if (answer === null || answer === 'abandon' || answer_at === null || answer_at > now)
    return undefined
  if (answer === 'tamper') return createForgedAnswer({ ref, result: 'Y' }, key)
  return signAnswer({ ref, result: answer === 'replay' ? 'Y' : answer }, key)
}

/** Returns true while the payer can only wait. */
export const isWaiting = ({ answer, plan }: AuthenticationRow): boolean =>
  answer !== null || plan.flow === 'frictionless'
