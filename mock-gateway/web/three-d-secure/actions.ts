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

/** What the bank's page says of itself. */
export const BANK_PAGE_FIELDS = ['page', 'left'] as const

/** What a payer sends to the bank. */
export const BANK_FIELDS = ['action', 'code', 'answer', 'result', 'case'] as const

type Fields = CallParameters<(typeof BANK_FIELDS)[number]>

/** What each action does; undefined where what it needs was not sent. */
const ACTIONS: Readonly<Record<string, (sent: Fields) => BankAction | undefined>> = {
  code: byCode,
  answer: byAnswer,
  /** As answer, from the app beside the page. */
  app: byAnswer,
  result: byResult,
  case: byCase,
  cancel: () => ({ kind: 'result', result: 'cancel' }),
  new_code: () => ({ kind: 'new_code' }),
  more_time: () => ({ kind: 'more_time' }),
}

/** What the payer does there: what a button says, or what was sent without one. */
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

/** Of several that are ticked each is a key. */
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
