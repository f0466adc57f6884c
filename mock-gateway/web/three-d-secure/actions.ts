import { RESULTS } from '../../domain/card/three-d-secure.ts'
import { OUTCOMES } from '../../domain/card/three-d-secure-cases.ts'
import { isObject } from '../../domain/json.ts'
import {
  type CallParameters,
  type Parameters,
  pick,
  text,
} from '../../parsing/parameters/parameters.ts'
import { type BankAction, createBankAction } from '../../payments/authentication/bank.ts'

/** Parameters of the bank page's own requests. */
export const BANK_PAGE_FIELDS = ['page', 'left'] as const

/** Parameters of the payer's answer. */
export const BANK_FIELDS = ['action', 'code', 'answer', 'result', 'case'] as const

type Fields = CallParameters<(typeof BANK_FIELDS)[number]>

/** Reads each action; undefined if a required parameter is missing. */
const ACTIONS: Readonly<Record<string, (sent: Fields) => BankAction | undefined>> = {
  code: byCode,
  answer: byAnswer,
  /** Like answer, from the app. */
  app: byAnswer,
  result: byResult,
  case: byCase,
  cancel: () => ({ kind: 'result', result: 'cancel' }),
  new_code: () => ({ kind: 'new_code' }),
  more_time: () => ({ kind: 'more_time' }),
}

/** Reads the payer's action: the button's, or the one that the parameters imply. */
export function readAction(parameters: Parameters): BankAction | undefined {
  const sent = pick(parameters, BANK_FIELDS)
  const action = text(sent, 'action')
  if (action !== undefined && Object.hasOwn(ACTIONS, action)) {
    const read = ACTIONS[action]?.(sent)
    if (read) return read
  }
  return byCode(sent) ?? byAnswer(sent) ?? byResult(sent)
}

function byCode(sent: Fields): BankAction | undefined {
  const code = text(sent, 'code')
  return code === undefined ? undefined : { kind: 'answer', given: [code] }
}

/** Reads the answer to a challenge. Ticked answers arrive as one key each. */
function byAnswer(sent: Fields): BankAction | undefined {
  const { answer } = sent
  const given = isObject(answer) ? Object.keys(answer) : (text(sent, 'answer')?.split(',') ?? [])
  return given.length > 0 ? createBankAction(given.map((one) => one.trim())) : undefined
}

function byResult(sent: Fields): BankAction | undefined {
  const result = RESULTS.find((each) => each === text(sent, 'result'))
  return result && { kind: 'result', result }
}

function byCase(sent: Fields): BankAction | undefined {
  const number = Number(text(sent, 'case'))
  return OUTCOMES.has(number) ? { kind: 'case', number } : undefined
}
