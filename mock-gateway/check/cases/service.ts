import type { StageFault } from '../purchase.ts'
import { type CheckCase, mustPay, ONCE } from './case.ts'

/** Faults of the gateway: the case, the fault, what the gateway does, and why it happens. */
const FAULTS: readonly (readonly [name: string, fault: StageFault, done: string, why: string])[] = [
  [
    'service-down',
    { kind: 'unavailable' },
    'the gateway answers with status 503',
    'Every service is down at some time.',
  ],
  [
    'service-limits',
    { kind: 'rate_limit' },
    'the gateway answers with status 429 and Retry-After',
    'Sales and crawlers make more requests than a service accepts.',
  ],
  [
    'service-slow',
    { kind: 'latency', milliseconds: 1_000 },
    'the gateway takes a second',
    'Services are slow during sales.',
  ],
  [
    'answer-lost',
    { kind: 'drop' },
    'the gateway carries out the request, but its answer is lost',
    'Connections break after the request has arrived.',
  ],
  [
    'answer-late',
    { kind: 'late_answer', milliseconds: 1_000 },
    'the gateway carries out the request, but its answer arrives a second late',
    'A network can be slow in one direction only.',
  ],
  [
    'answer-cut',
    { kind: 'cut_answer' },
    'half of the answer arrives',
    'Proxies and connections break.',
  ],
  [
    'answer-html',
    { kind: 'bad_gateway' },
    'a proxy answers with status 502 and an HTML page',
    'Proxies answer in HTML, not in JSON.',
  ],
]

/** The gateway does not answer as it should. */
export const SERVICE_CASES: readonly CheckCase[] = FAULTS.map(([name, fault, done, why]) => ({
  name,
  done: `When the shop prepares a payment, ${done}. The payer tries again.`,
  must: `The shop answers, but not with status 500. ${ONCE}`,
  why,
  async run(stage) {
    await stage.duringFault(fault, () => stage.payer.tryToBuy())
    await mustPay(stage, await stage.payer.buy())
  },
}))
