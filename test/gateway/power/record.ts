import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { programEnv } from '../../helpers/program.ts'
import { openReceiver } from '../process/receiver.ts'
import { Answers } from './answers.ts'
import type { Recorded } from './replay.ts'
import { readStrace, traced } from './strace.ts'
import type { Step } from './trace.ts'

/** Number of connections that place orders in parallel. */
const CONNECTIONS = 4

/** Number of starts of the recorded gateway. */
const RESTART_CYCLES = 2

/**
 * Lets the built gateway answer orders under `strace`, and reads its changes to files. Needs Linux
 * and strace.
 * @param folder for its data and the log
 * @throws Error if it does not start
 */
export async function record(built: string, orders: number, folder: string): Promise<Recorded> {
  const own = await mkdtemp(join(folder, 'recorded-'))
  const data = join(own, 'data')
  const answers = new Answers()
  const receiver = await openReceiver()
  const trace: Step[] = []
  for (let cycle = 0; cycle < RESTART_CYCLES; cycle++) {
    const log = join(own, `log-${cycle}`)
    const { url, stop } = await start(log, built, data)
    let left = Math.ceil(orders / RESTART_CYCLES)
    const connection = async () => {
      while (left-- > 0) await answers.place(`${url}/v1`, receiver)
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, connection))
    await stop()
    trace.push(...(await readStrace(log, data)))
    await rm(log)
  }
  await receiver.close()
  await rm(own, { recursive: true })
  return { trace, answers, told: receiver.told }
}

async function start(log: string, built: string, data: string) {
  const [program, args] = traced(log, process.execPath, [built, '--data', data, '--port', '0'])
  const child = spawn(program, args, {
    env: { ...programEnv(), LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  let output = ''
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += text
    if (output.includes('Merchant')) break
  }
  child.stdout.resume()
  const url = /REST API +(\S+)\/v1/.exec(output)?.[1]
  if (url === undefined) throw new Error(`The gateway does not start under strace:\n${output}`)
  return {
    url,
    async stop() {
      // A signal to strace would not reach the gateway.
      const [gateway] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(
        ' ',
      )
      process.kill(Number(gateway), 'SIGTERM')
      await ended
    },
  }
}
