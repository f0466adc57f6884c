/**
 * Setup file of the `gateway` tests. Checks the answers that tests fetch over a real socket against
 * the contract, like the client in `test/helpers/gateway.ts`.
 */
/**
 * Original `fetch`. Test files of one worker share the global object, and this file is loaded for
 * each of them.
 */
const { unchecked = globalThis.fetch } = globalThis.fetch as typeof fetch & {
  unchecked?: typeof fetch
}

const checked: typeof fetch = async (input, init) => {
  const response = await unchecked(input, init)
  // Only answers of the gateway have this mark, not those of shops and sinks in the tests.
  if (!response.headers.has('x-request-id')) return response
  // A request that was sent cannot be copied, so a copy is made before.
  const request =
    input instanceof Request
      ? input
      : new Request(input, init?.method ? { method: init.method } : {})
  // Imported late, because the contract imports sources that a test can mock.
  const { checkAnswer, readAnswer } = await import('../helpers/contract.ts')
  const body = readAnswer(response.headers, await response.clone().text())
  checkAnswer(request.method, request.url, response.status, response.headers, body)
  return response
}

globalThis.fetch = Object.assign(checked, { unchecked })
