import { type MessagePort, workerData } from 'node:worker_threads'
import pg from 'pg'
import type { Read, Reading } from './reader.ts'

const { port, answers }: { port: MessagePort; answers: Int32Array } = workerData

/**
 * Reads 64-bit integers and sums as numbers, because sums and times in the data stay below 2^53.
 */
for (const type of [pg.types.builtins.INT8, pg.types.builtins.NUMERIC])
  pg.types.setTypeParser(type, Number)

const clients = new Map<string, Promise<pg.Client>>()

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => clients.delete(url))
  await client.connect()
  return client
}

async function read({ url, statement }: Reading): Promise<Read> {
  const client = clients.get(url) ?? connected(url)
  clients.set(url, client)
  if (statement !== undefined) return { rows: (await (await client).query(statement)).rows }
  clients.delete(url)
  await (await client).end()
  return { rows: [] }
}

port.on('message', async (reading: Reading) => {
  port.postMessage(await read(reading).catch((error: Error): Read => ({ problem: error.message })))
  Atomics.add(answers, 0, 1)
  Atomics.notify(answers, 0)
})
