import type { Gateway, GatewayOptions } from '../../../../mock-gateway/gateway.ts'
import { type MachineProcess, runAs } from './machine.ts'

/** Request that a client sends. */
export interface Sent {
  readonly method: string
  /** Path with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Answer of a gateway. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Gateway in its own simulated process, which can be killed. */
export interface GatewayProcess extends MachineProcess {
  /**
   * Answers a request.
   * @returns undefined if the process died before it had answered
   */
  answer(sent: Sent): Promise<Answered | undefined>
  kill(): void
  close(): Promise<void>
}

/** Function `createGateway`, which is loaded after the machine was replaced. */
export type CreateGateway = (options: GatewayOptions) => Promise<Gateway>

/**
 * Opens a gateway.
 * @param signal aborts when the run ends, so that requests to dead gateways are dropped
 * @returns undefined if the process died before the gateway was open
 * @throws the errors of `createGateway`
 */
export async function openGateway(
  name: string,
  createGateway: CreateGateway,
  options: GatewayOptions,
  born: (process: Pick<GatewayProcess, 'kill' | 'name'>) => void,
  signal: AbortSignal,
): Promise<GatewayProcess | undefined> {
  const connections: MachineProcess['connections'] = new Set()
  const { promise: died, resolve: die } = Promise.withResolvers<undefined>()
  let isDead = false
  const machineProcess = {
    name,
    connections,
    get isDead() {
      return isDead
    },
    kill() {
      if (isDead) return
      isDead = true
      // Closes the connections like the system after a kill, which undoes open transactions.
      for (const connection of connections) if (connection.isOpen) connection.close()
      die(undefined)
    },
  }
  born(machineProcess)
  const gateway = await Promise.race([runAs(machineProcess, () => createGateway(options)), died])
  if (!gateway) return undefined

  async function handle(
    { method, path, headers, body }: Sent,
    { handle }: Gateway,
  ): Promise<Answered> {
    const init = { method, headers, signal, ...(body === undefined ? {} : { body }) }
    const answer = await handle(new Request(`http://localhost:4400${path}`, init))
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }

  return Object.assign(machineProcess, {
    answer: (sent: Sent) =>
      Promise.race([runAs(machineProcess, () => handle(sent, gateway)), died]),
    close: () => runAs(machineProcess, gateway.close),
  })
}
