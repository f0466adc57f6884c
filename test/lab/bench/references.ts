import type { Contestant, Plan } from './compare.ts'
import type { RequestMaker } from './requests.ts'
import { type Server, startEcho, startEchoWithRow } from './servers.ts'

/** Both baselines, with the same requests as the gateway and answers of the same size. */
export interface References {
  readonly contestants: Readonly<
    Record<'bare Express echo' | 'echo + one committed row', Contestant>
  >
  /** Bare Express server without a database. */
  readonly echo: Server
  stop(): Promise<void>
}

/**
 * Starts the baselines for one kind of request.
 * @param gateway gateway that gets one request, to measure the size of its answers
 */
export async function startReferences(
  plan: Plan,
  gateway: Server,
  make: RequestMaker,
): Promise<References> {
  const { answerBytes } = await gateway.load.run({ requests: 1 }, () => make())
  const next = () => make(`/${answerBytes}`)
  const echo = await startEcho(plan.connections)
  const row = await startEchoWithRow(plan.connections)
  return {
    echo,
    contestants: {
      'bare Express echo': { server: echo, next },
      'echo + one committed row': { server: row, next },
    },
    async stop() {
      await Promise.all([echo.stop(), row.stop()])
    },
  }
}
