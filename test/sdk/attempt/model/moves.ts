import fc from 'fast-check'
import { ANSWERS } from './answers.ts'
import type { Move, Setting } from './model.ts'

const of = fc.constantFrom<string[]>
const always = (move: Move['do']) => fc.constant(move)

const names = Object.keys(ANSWERS)

/** Creates a generator of possible answers to a request, most of them valid. */
function answerTo(question: 'payment' | 'asked' | 'looked' | 'key'): fc.Arbitrary<string> {
  const apt = names.filter((name) => {
    const meant = ANSWERS[name]?.[question]
    return meant && !Object(meant).lost
  })
  return fc.oneof({ weight: 4, arbitrary: of(...apt) }, { weight: 1, arbitrary: of(...names) })
}

const EVENTS = [
  ...[
    'state',
    'before',
    'state before',
    'state encrypting',
    'state mpi',
    'state sending',
    'state fail',
  ],
  ...['state success', 'state idle', 'success', 'fail', 'open', 'blocked', 'close'],
]

const nth = fc.nat(3)

/** Possible events with their weights. */
const MOVES: readonly [weight: number, move: Record<string, fc.Arbitrary<unknown>>][] = [
  [4, { do: of('submit', 'press') }],
  [1, { do: of('abort', 'reset', 'come back', 'shut window') }],
  [
    9,
    {
      do: always('answer'),
      nth,
      to: fc.record({
        pay: answerTo('payment'),
        ask: answerTo('asked'),
        look: answerTo('looked'),
        script: answerTo('key'),
      }),
    },
  ],
  [4, { do: always('break'), nth }],
  [
    5,
    {
      do: always('pass'),
      milliseconds: fc.constantFrom(10, 100, 600, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000),
    },
  ],
  [3, { do: always('message'), says: answerTo('looked') }],
  [
    1,
    {
      do: always('before'),
      answers: of('go on', 'return false', 'prevent', 'throw', 'wait', 'wait'),
    },
  ],
  [2, { do: always('settle'), with: of('true', 'true', 'false', 'error') }],
  [1, { do: of('fill', 'block'), well: fc.boolean() }],
  [2, { do: always('click'), button: of('open', 'cancel') }],
  [1, { do: always('forbid'), directive: of('connect-src', 'form-action', 'frame-src') }],
  [
    2,
    {
      do: always('plan'),
      at: of(...EVENTS),
      deed: of('abort', 'submit', 'destroy', 'reset', 'throw', 'prevent', 'retry'),
    },
  ],
]

export const moves = fc.oneof(
  ...MOVES.map(([weight, move]) => ({ weight, arbitrary: fc.record(move) })),
) as fc.Arbitrary<unknown> as fc.Arbitrary<Move>

export const settings = fc.record({
  type: of('ajax', 'ajax', 'ajax', 'form'),
  mpi: of('none', 'auto', 'popup', 'iframe', 'redirect'),
}) as fc.Arbitrary<unknown> as fc.Arbitrary<Setting>
