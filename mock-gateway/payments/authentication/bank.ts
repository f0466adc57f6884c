import { forgedAnswer, signAnswer } from '../../acquirer/three-d-secure/signed-answer.ts'
import type { AskedResult } from '../../domain/card/three-d-secure.ts'
import { changeOpenAuthentication } from '../../storage/authentications.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import type { OpenWork } from '../../storage/work.ts'
import { CHALLENGE_MS } from './begin.ts'

/** The code that the simulated bank has sent, and one that fails at once. */
export const CODES = { right: '1234', failing: '0000' } as const

/** Wrong codes that end it, codes that are sent anew, and times that a payer gets more time. */
export const MOST = { wrongCodes: 3, newCodes: 3, extensions: 10 } as const

/** What a payer does at the bank. */
export type BankAction =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'result'; readonly result: AskedResult }
  | { readonly kind: 'new_code' | 'more_time' }

type Changes = Parameters<typeof changeOpenAuthentication>[2]

/**
 * What the bank makes of it. A code is right, fails at once, or is wrong, and the third wrong one fails too; what a right
 * one leads to is the plan's.
 * @param now epoch milliseconds
 */
function bankAnswers(row: AuthenticationRow, action: BankAction, now: number): Changes {
  const answering = (answer: AuthenticationRow['answer']) => ({
    answer,
    answer_at: now + row.plan.delaySeconds * 1000,
  })
  switch (action.kind) {
    case 'result':
      return answering(action.result)
    case 'new_code':
      return row.new_codes < MOST.newCodes ? { new_codes: row.new_codes + 1 } : {}
    case 'more_time':
      return row.extensions < MOST.extensions ? { extensions: row.extensions + 1, expires_at: now + CHALLENGE_MS } : {}
    case 'code': {
      const code = action.code.replace(/\s/g, '')
      if (code === CODES.right) return answering(row.plan.result)
      if (code === CODES.failing || row.wrong_codes + 1 >= MOST.wrongCodes)
        return { wrong_codes: row.wrong_codes + 1, ...answering('N') }
      return { wrong_codes: row.wrong_codes + 1 }
    }
  }
}

/** The payer comes to the bank, or does something there. @returns undefined when the authentication has ended */
export const atBank = (work: OpenWork, row: AuthenticationRow, action?: BankAction) =>
  work.write(({ queries, now }) =>
    changeOpenAuthentication(queries, row.id, {
      opened_at: row.opened_at ?? now,
      ...(action ? bankAnswers(row, action, now) : {}),
      updated_at: now,
    }),
  )

/** What the bank sends back through the payer's browser; undefined as long as it has nothing to say. */
export function signedAnswer({ answer, answer_at, ref, key }: AuthenticationRow, now: number): string | undefined {
  if (answer === null || answer === 'abandon' || answer_at === null || answer_at > now) return undefined
  if (answer === 'tamper') return forgedAnswer({ ref, result: 'Y' }, key)
  return signAnswer({ ref, result: answer === 'replay' ? 'Y' : answer }, key)
}

/** True while the payer has nothing to do but wait. */
export const isWaiting = ({ answer, plan }: AuthenticationRow): boolean =>
  answer !== null || plan.flow === 'frictionless'
