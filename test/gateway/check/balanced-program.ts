import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect } from 'vitest'
import { freePort } from '../../setup/free-port.ts'

export interface BalancedProgram {
  readonly url: string
  /** Kills the processes with the workers that they started. */
  close(): Promise<void>
}

/**
 * Starts a web server in several processes behind one port. Each connection gets the process with
 * the fewest connections, as with PHP-FPM. With `PHP_CLI_SERVER_WORKERS`, one worker can accept two
 * connections and answer them one after the other.
 * @param args returns the arguments of the program for a port
 */
export async function startBalancedProgram(
  program: string,
  args: (port: string) => readonly string[],
  env: NodeJS.ProcessEnv,
  processes: number,
): Promise<BalancedProgram> {
  const workers = await Promise.all(
    Array.from({ length: processes }, async () => {
      const port = await freePort()
      const child = spawn(program, args(String(port)), { env, detached: true, stdio: 'ignore' })
      return { child, port, connections: new Set<Socket>() }
    }),
  )
  for (const { port } of workers) await waitForAnswer(port)
  const server = createServer((client) => {
    const [least] = workers.toSorted((one, other) => one.connections.size - other.connections.size)
    if (!least) return
    const { port, connections } = least
    const upstream = connect(port, '127.0.0.1')
    connections.add(client)
    client.on('close', () => connections.delete(client))
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
    client.pipe(upstream).pipe(client)
  })
  const port = await freePort()
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      await Promise.all(workers.map(({ child }) => kill(child)))
      for (const { connections } of workers) for (const client of connections) client.destroy()
      server.close()
    },
  }
}

async function waitForAnswer(port: number): Promise<void> {
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
  await expect.poll(answers, { timeout: 120_000 }).toBe(true)
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  process.kill(-child.pid, 'SIGKILL')
  await ended
}
