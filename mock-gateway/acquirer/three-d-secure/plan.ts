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
import { getServiceInstructions } from '../../domain/order/metadata.ts'

/** Facts that decide how a payer is authenticated. */
export interface AuthenticationRequest {
  /** The setting of the merchant; `always` if one of its rules requires authentication. */
  readonly setting: 'off' | 'card' | 'always'
  /** True if the payer can be challenged: on the payment page and in the browser library. */
  readonly payerPresent: boolean
  readonly test: boolean
  readonly metadata: JsonObject | null
  /** The case of the test card, from 1; undefined for all other cards. */
  readonly cardCase: number | undefined
  /** Result forced by the control API for the merchant's next payment. */
  readonly next?: AuthenticationInstructions | undefined
  /** The challenge type of a rule, or of the merchant; a code if missing. */
  readonly question?: QuestionKind | undefined
}

/** Returns the plan, `none` for a payment without 3-D Secure, or undefined: the next row decides. */
type Chooser = (request: AuthenticationRequest) => AuthenticationPlan | 'none' | undefined

/** An absent payer is authenticated only with the setting `always`. */
const chooseIfPossible: Chooser = ({ setting, payerPresent }) =>
  canAuthenticate(setting, payerPresent) ? undefined : 'none'

/** A test sets the result for the next payment, or instructions in the metadata. */
const chooseByTest: Chooser = (request) => {
  const { test, metadata, next } = request
  const wanted = test ? (next ?? readInstructions(metadata)) : undefined
  return wanted && followInstructions(wanted, chooseByCard(request) ?? chooseByRule(request))
}

const chooseByCard: Chooser = ({ test, cardCase }) =>
  test && cardCase !== undefined ? CASES[cardCase - 1] : undefined

/** The setting `always`, or a rule of the merchant. */
const chooseByRule: Chooser = ({ setting }) => (setting === 'always' ? ALWAYS : undefined)

/** The first row that chooses decides (reference: precedence). */
const PRECEDENCE: readonly Chooser[] = [chooseIfPossible, chooseByTest, chooseByCard, chooseByRule]

/**
 * Plans the authentication of the payer.
 * @returns undefined if 3-D Secure is not used
 */
export function planAuthentication(request: AuthenticationRequest): AuthenticationPlan | undefined {
  let plan: ReturnType<Chooser>
  for (const choose of PRECEDENCE) plan ??= choose(request)
  if (plan === undefined || plan === 'none') return undefined
  const { question = 'code' } = request
  return plan.flow === 'challenge' && !plan.question && question !== 'code'
    ? { ...plan, question }
    : plan
}

/** Returns false if the payer is not authenticated, whatever a test and the card choose. */
export const canAuthenticate = (
  setting: AuthenticationRequest['setting'],
  payerPresent: boolean,
): boolean => setting === 'always' || (setting === 'card' && payerPresent)

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
function readInstructions(metadata: JsonObject | null): AuthenticationInstructions | undefined {
  const wanted = getServiceInstructions(metadata).three_d_secure
  return isObject(wanted) ? readChoice(wanted) : undefined
}

/** Reads what a test chooses; undefined without a known value. */
function readChoice(
  wanted: Readonly<Record<string, JsonValue | undefined>>,
): AuthenticationInstructions | undefined {
  const one = <Value extends string>(values: readonly Value[], value: JsonValue | undefined) =>
    values.find((each) => each === value)
  const delay = wanted.delay_seconds === undefined ? Number.NaN : Number(wanted.delay_seconds)
  const choice = {
    flow: one(FLOWS, wanted.flow),
    result: one(RESULTS, wanted.result),
    delaySeconds:
      Number.isInteger(delay) && delay >= 0 && delay <= LONGEST_DELAY ? delay : undefined,
    version: one(VERSIONS, wanted.version),
    question: one(QUESTION_KINDS, wanted.question),
  }
  const given = Object.fromEntries(
    Object.entries(choice).filter(([, value]) => value !== undefined),
  )
  return Object.keys(given).length > 0 ? given : undefined
}

/** Results that need an action of the payer, so they require a challenge. */
const OF_THE_PAYER: readonly string[] = ['cancel', 'abandon', 'replay', 'tamper']

/**
 * Returns the flow that instructions set for a payment. Fields that they omit follow the card, or
 * the usual flow without a card.
 */
function followInstructions(
  wanted: AuthenticationInstructions,
  otherwise: ReturnType<Chooser>,
): ReturnType<Chooser> {
  const { result, delaySeconds, version, question } = wanted
  const flow = wanted.flow ?? (question && 'challenge')
  if (flow === 'none') return 'none'
  const usual = typeof otherwise === 'object' ? otherwise : ALWAYS
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
