import type { StageFault } from '../purchase.ts'
import type { Stage } from '../stage.ts'
import { CATCH, type CheckCase, mustPay, ONCE } from './case.ts'

const MUST = `The shop answers. ${ONCE}`

const row = (
  name: string,
  done: string,
  why: string,
  fix: string,
  fault: StageFault,
): CheckCase => ({
  name,
  done: `When the shop prepares a payment, ${done}. The payer tries again.`,
  must: MUST,
  why,
  fix,
  run: (stage) => buyAgainAfter(stage, fault),
})

/** The gateway does not answer as it should. */
export const SERVICE_CASES: readonly CheckCase[] = [
  row(
    'service-down',
    'the gateway answers with status 503',
    'Every service is down at some time.',
    CATCH,
    {
      kind: 'unavailable',
    },
  ),
  row(
    'service-limits',
    'the gateway answers with status 429 and Retry-After',
    'Sales and crawlers make more requests than a service accepts.',
    `${CATCH} Wait for the seconds in Retry-After before the next request.`,
    { kind: 'rate_limit' },
  ),
  row(
    'service-slow',
    'the gateway takes a second',
    'Services are slow during sales.',
    'Wait at least ten seconds for the gateway, and show the payer that the shop works.',
    { kind: 'latency', milliseconds: 1_000 },
  ),
  row(
    'answer-lost',
    'the gateway carries out the request, but its answer is lost',
    'Connections break after the request has arrived.',
    'Catch errors of the connection, and let the payer try again.',
    { kind: 'drop' },
  ),
  row(
    'answer-late',
    'the gateway carries out the request, but its answer arrives a second late',
    'A network can be slow in one direction only.',
    'Wait at least ten seconds for the gateway, and use the same payment_ref for the next attempt.',
    { kind: 'late_answer', milliseconds: 1_000 },
  ),
  row(
    'answer-cut',
    'half of the answer arrives',
    'Proxies and connections break.',
    'Treat an unreadable answer as a broken connection, and let the payer try again.',
    { kind: 'cut_answer' },
  ),
  row(
    'answer-html',
    'a proxy answers with status 502 and an HTML page',
    'Proxies answer in HTML, not in JSON.',
    'Check the status before you parse the answer, and let the payer try again.',
    { kind: 'bad_gateway' },
  ),
]

async function buyAgainAfter(stage: Stage, fault: StageFault) {
  await stage.duringFault(fault, () => stage.payer.tryToBuy())
  await mustPay(stage, await stage.payer.buy())
}
