import { once } from 'node:events'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { RefusedError } from '../client/errors.ts'
import { TOOLS } from './mcp/tools.ts'
import { type RunGateway, TEMPORARY } from './running-gateway.ts'
import type { Environment } from './setting-sources.ts'
import { StartError } from './start-error.ts'
import { createToolContext, findMerchant } from './tool-context.ts'

const INSTRUCTIONS = `A payment gateway for tests: REST API, payment page, 3-D Secure, webhooks, subscriptions and a clock that you can move. If an integration fails, start with explain_last_rejection; if a hash is wrong, use hash_doctor.`

/**
 * Serves the Model Context Protocol on standard input and output, for the gateway of
 * MONDIDO_BASE_URL and MONDIDO_CONTROL_KEY, otherwise for a new gateway.
 * @returns the exit status, when the assistant has disconnected
 * @throws StartError
 */
export async function serveAssistant(
  argv: readonly string[],
  env: Environment,
  run: RunGateway,
  version: () => Promise<string>,
): Promise<number> {
  const { context, close } = await openContext(argv, env, run)
  const server = new McpServer(
    { name: 'mondido-gateway', version: await version() },
    { instructions: INSTRUCTIONS },
  )
  for (const [name, { description, input, run: answer }] of Object.entries(TOOLS))
    server.registerTool(name, { description, inputSchema: input }, (given: unknown) =>
      runTool(() => answer(context, given)),
    )
  await server.connect(new StdioServerTransport())
  await once(process.stdin, 'close')
  await server.close()
  await close()
  return 0
}

/** Returns errors as answers: the assistant reads the reason. */
async function runTool(answer: () => Promise<unknown>) {
  try {
    return { content: [{ type: 'text' as const, text: JSON.stringify(await answer(), null, 1) }] }
  } catch (error) {
    const { errorName, code, description, explanation }: Partial<RefusedError> =
      error instanceof RefusedError ? error : {}
    const text =
      errorName === undefined
        ? String(error)
        : JSON.stringify({ error: errorName, code, description, explanation }, null, 1)
    return { content: [{ type: 'text' as const, text }], isError: true }
  }
}

async function openContext(argv: readonly string[], env: Environment, run: RunGateway) {
  const { MONDIDO_BASE_URL: url, MONDIDO_CONTROL_KEY: controlKey } = env
  if (url && controlKey)
    return {
      context: createToolContext(url, controlKey, findMerchant({}, env)),
      close: async () => {},
    }
  const gateway = await run(argv, env, () => {}, TEMPORARY)
  if (gateway.control.key === undefined)
    throw new StartError('An assistant needs the control API: leave out --no-control.', 2)
  return {
    context: createToolContext(gateway.url, gateway.control.key, gateway.merchant),
    close: () => gateway.close(),
  }
}
