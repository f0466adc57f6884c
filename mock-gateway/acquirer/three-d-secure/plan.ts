import { QUESTION_KINDS, type QuestionKind } from '../../domain/card/bank-questions.ts'
import {
  type AuthenticationInstructions,
  type AuthenticationPlan,
  type FinalAuthenticationResult,
  FLOWS,
  RESULTS,
  VERSIONS,
} from '../../domain/card/three-d-secure.ts'
import { ALWAYS, CASES } from '../../domain/card/three-d-secure-cases.ts'
import { isObject, type JsonObject, type JsonValue } from '../../domain/json.ts'

/** Values that decide how a payer is authenticated. */
export interface AuthenticationRequest {
  /** The setting of the merchant. */
  readonly setting: 'off' | 'card' | 'always'
  /** True if the payer can be challenged: on the payment page and in the browser library. */
  readonly payerPresent: boolean
  readonly test: boolean
  readonly metadata: JsonObject | null
  /** The case of the test card, from 1; undefined for all other cards. */
  readonly cardCase: number | undefined
  /** Result forced by the control API for the merchant's next payment. */
  readonly next?: AuthenticationInstructions | undefined
  /** The merchant's default challenge type; a code if missing. */
  readonly question?: QuestionKind | undefined
}

/**
 * Plans the authentication of the payer. The first of these applies: the result set for the next
 * payment, the instructions in the metadata, the card, the setting `always` (reference:
 * precedence).
 * @returns undefined if 3-D Secure is not used
 */
export function planAuthentication(asked: AuthenticationRequest): AuthenticationPlan | undefined {
  const plan = chosenPlan(asked)
  const { question = 'code' } = asked
  return plan?.flow === 'challenge' && !plan.question && question !== 'code'
    ? { ...plan, question }
    : plan
}

function chosenPlan(asked: AuthenticationRequest): AuthenticationPlan | undefined {
  const { setting, payerPresent, test, metadata, cardCase, next } = asked
  if (setting === 'off' || !(payerPresent || setting === 'always')) return undefined
  const byCard =
    (test && cardCase !== undefined ? CASES[cardCase - 1] : undefined) ??
    (setting === 'always' ? ALWAYS : undefined)
  if (!test) return byCard
  const wanted = next ?? readInstructions(metadata?.service_instructions)
  return wanted === undefined ? byCard : instructedPlan(wanted, byCard)
}

/** True if the answer is available immediately, without a page for the payer. */
export const isImmediate = (
  plan: AuthenticationPlan,
): plan is AuthenticationPlan & {
  readonly result: FinalAuthenticationResult
  readonly flow: 'frictionless'
} => plan.flow === 'frictionless' && plan.delaySeconds === 0

/** Longest wait for an answer, in seconds. */
export const LONGEST_DELAY = 900

/** Reads `three_d_secure` of service instructions; ignores unknown values. */
function readInstructions(
  instructions: JsonValue | undefined,
): AuthenticationInstructions | undefined {
  const wanted = isObject(instructions) ? instructions.three_d_secure : undefined
  return isObject(wanted) ? readAsked(wanted) : undefined
}

/** Reads the requested result; undefined if it is impossible. */
function readAsked(
  wanted: Readonly<Record<string, JsonValue | undefined>>,
): AuthenticationInstructions | undefined {
  const one = <Value extends string>(values: readonly Value[], value: JsonValue | undefined) =>
    values.find((each) => each === value)
  const delay = wanted.delay_seconds === undefined ? Number.NaN : Number(wanted.delay_seconds)
  const read = {
    flow: one(FLOWS, wanted.flow),
    result: one(RESULTS, wanted.result),
    delaySeconds:
      Number.isInteger(delay) && delay >= 0 && delay <= LONGEST_DELAY ? delay : undefined,
    version: one(VERSIONS, wanted.version),
    question: one(QUESTION_KINDS, wanted.question),
  }
  const given = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
  return Object.keys(given).length > 0 ? given : undefined
}

/** Results that need an action of the payer, so they require a challenge. */
const OF_THE_PAYER: readonly string[] = ['cancel', 'abandon', 'replay', 'tamper']

/**
 * Returns the flow that instructions set for a payment. Fields that they omit follow the card, or
 * the usual flow without a card.
 */
function instructedPlan(
  wanted: AuthenticationInstructions,
  byCard: AuthenticationPlan | undefined,
): AuthenticationPlan | undefined {
  const { result, delaySeconds, version, question } = wanted
  const flow = wanted.flow ?? (question && 'challenge')
  if (flow === 'none') return undefined
  const usual = byCard ?? ALWAYS
  const changed = result !== undefined && result !== usual.result
  const { reason: _reason, softDecline: _soft, ...plain } = usual
  const plan = {
    ...(changed || flow ? plain : usual),
    ...(flow && { flow }),
    ...(result && { result }),
    ...(delaySeconds !== undefined && { delaySeconds }),
    ...(version && { version }),
    ...(question && { question }),
  }
  return OF_THE_PAYER.includes(plan.result) ? { ...plan, flow: 'challenge' } : plan
}
