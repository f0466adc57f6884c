import { createRequire } from 'node:module'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { vi } from 'vitest'
import type { ServedConfig } from '../../../sdk/types.ts'
import { TEST_PRIVATE_KEY, TEST_PUBLIC_KEY } from '../../helpers/keys.ts'
import { decryptValue } from './keys.ts'
import { MERCHANT } from './merchant.ts'

/** Faults of the network between library and gateway. */
export type NetworkFault =
  /** The request never arrives. */
  | 'lost request'
  /** The payment is made, but its answer never arrives. */
  | 'lost answer'
  /** The payment is made, and a proxy answers in place of the gateway. */
  | 'garbage'
  | 'unavailable'
  /**
   * The payment is made, and a server in front of the gateway answers with an error in the
   * service's own format.
   */
  | 'server error'
  /** The payment is made, and the answer never arrives. */
  | 'silence'
  /** The service answers with a transaction in this status. */
  | { status: string }

/** Real gateway behind a simulated network. */
export interface TestGateway {
  config: ServedConfig
  /** All sent payments, including lost ones: headers and fields. */
  payments: { headers: Headers; fields: URLSearchParams }[]
  /** Addresses of all status requests. */
  lookups: URL[]
  /** Injects a fault into the next payment. */
  breakNext(fault: NetworkFault): void
  /** Lets status requests fail, too. */
  breakLookups(): void
  /** Waits for a number of payments, including payments whose page stopped waiting. */
  arrival(count?: number): Promise<unknown>
  /** Waits until the gateway has finished all requests, including requests with lost answers. */
  done(): Promise<unknown>
  /** Decrypts a parameter. */
  decrypt(value: string | null | undefined): string
  /** Waits for running requests, clears the records and ends all faults. */
  calm(): Promise<void>
  /**
   * Stops the gateway.
   * @throws Error if an answer of the gateway contradicted the contract, which its page treats like
   *   an injected fault
   */
  stop(): Promise<void>
}

// Node itself loads the gateway, because the test runner would treat it as code of the page.
const load = createRequire(import.meta.url)
const { createGateway }: typeof import('../../../mock-gateway/gateway.ts') = load(
  '../../../mock-gateway/gateway.ts',
)
const { checkAnswer, readAnswer }: typeof import('../../helpers/contract.ts') = load(
  '../../helpers/contract.ts',
)

const ADDRESS = 'http://gateway.test'
/** Address of the page of a pending transaction. */
export const HREF = `${ADDRESS}/v1/form/abc`
const CORS = { 'access-control-allow-origin': '*' }

const SERVER_ERROR = { name: 'errors.payment.declined', code: 129, description: 'Payment declined' }

const FAULTS: Readonly<Record<Extract<NetworkFault, string>, () => Response | Promise<Response>>> =
  {
    'lost request': () => HttpResponse.error(),
    'lost answer': () => HttpResponse.error(),
    garbage: () => new HttpResponse('<h1>Welcome</h1>', { headers: CORS }),
    unavailable: () => new HttpResponse('busy', { status: 503, headers: CORS }),
    'server error': () => HttpResponse.json(SERVER_ERROR, { status: 500, headers: CORS }),
    silence: () => new Promise<Response>(() => undefined),
  }

/**
 * Starts a gateway with the merchant of the tests. Only faults are simulated, and every answer is
 * from the gateway.
 */
export async function startGateway(): Promise<TestGateway> {
  const addresses = { base: ADDRESS, pay: ADDRESS, cdn: ADDRESS }
  const gateway = await createGateway({ addresses, merchants: [MERCHANT] })
  let fault: NetworkFault | undefined
  let areLookupsBroken = false

  const underWay = new Set<Promise<Response>>()
  const againstContract: unknown[] = []

  /**
   * Passes a request to the gateway without the page's signal, because a closed page does not stop
   * work of the gateway.
   */
  const handle = async (request: Request) => {
    const { url, method, headers } = request
    return gateway.handle(
      new Request(url, { method, headers, body: method === 'GET' ? null : await request.text() }),
    )
  }

  const forward = async (request: Request): Promise<Response> => {
    const handled = handle(request)
    underWay.add(handled)
    const answer = await handled.finally(() => underWay.delete(handled))
    const { status, headers } = answer
    const text = await answer.text()
    try {
      checkAnswer(request.method, request.url, status, headers, readAnswer(headers, text))
    } catch (problem) {
      againstContract.push(problem)
    }
    return new HttpResponse(text, { status, headers: [...headers] })
  }
  const server = setupServer(
    http.post(`${ADDRESS}/v1/transactions`, async ({ request }) => {
      const fields = new URLSearchParams(await request.clone().text())
      testGateway.payments.push({ headers: request.headers, fields })
      const current = fault
      fault = undefined
      if (typeof current === 'object')
        return HttpResponse.json({ id: 1, href: HREF, ...current }, { headers: CORS })
      const answer = current === 'lost request' ? undefined : await forward(request)
      return answer && !current ? answer : FAULTS[current ?? 'lost request']()
    }),
    http.get(`${ADDRESS}/v2/mondido.js`, async ({ request }) => {
      const script = await gateway.handle(new Request(request.url))
      return new HttpResponse(await script.text(), { headers: CORS })
    }),
    http.get(`${ADDRESS}/v1/attempts/:attempt`, ({ request }) => {
      testGateway.lookups.push(new URL(request.url))
      return areLookupsBroken ? HttpResponse.error() : forward(request)
    }),
  )
  const testGateway: TestGateway = {
    config: {
      merchantId: '1',
      publicKey: TEST_PUBLIC_KEY,
      apiUrl: ADDRESS,
      payUrl: ADDRESS,
      cdnUrl: ADDRESS,
    },
    payments: [],
    lookups: [],
    breakNext(next) {
      fault = next
    },
    breakLookups() {
      areLookupsBroken = true
    },
    arrival: (count = 1) =>
      vi.waitUntil(() => testGateway.payments.length >= count, { interval: 1, timeout: 60_000 }),
    done: () => Promise.all(underWay),
    decrypt: (value) => decryptValue(value ?? '', TEST_PRIVATE_KEY),
    async calm() {
      await testGateway.done()
      fault = undefined
      areLookupsBroken = false
      testGateway.payments.length = testGateway.lookups.length = 0
    },
    async stop() {
      server.close()
      await gateway.close()
      if (againstContract.length > 0) throw againstContract[0]
    },
  }
  // The emulated browser sends a preflight even for simple requests.
  Object(window).happyDOM.settings.fetch.disableSameOriginPolicy = true
  server.listen()
  return testGateway
}
