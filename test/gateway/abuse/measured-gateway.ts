import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { GATEWAY_PROGRAM, programEnv } from '../../helpers/program.ts'
import type { Measured } from './memory-probe.ts'

/** Gateway in its own process that reports its memory. */
export interface MeasuredGateway {
  readonly url: string
  /** @throws Error with its last output if it has ended */
  measure(): Promise<Measured>
  /**
   * Returns the blocks of watched sources that ran since the last call.
   * @throws Error as `measure`
   */
  reached(): Promise<readonly number[]>
  /** Returns new lines of its error log and of stderr. */
  complaints(): string[]
  /** Stops the gateway with a signal. Resolves with its exit code. */
  stop(): Promise<number | null>
}

const inRoot = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/**
 * Starts a gateway.
 * @param flags flags of the command line
 * @param watched file with sources that record which of their blocks run
 * @throws Error with its output if it does not start
 */
export async function startMeasuredGateway(
  flags: readonly string[],
  watched?: string,
): Promise<MeasuredGateway> {
  const program = watched === undefined ? GATEWAY_PROGRAM : 'mock-gateway/cli.ts'
  const child = fork(inRoot(program), ['--port', '0', ...flags], {
    cwd: inRoot(''),
    env: { ...programEnv(), LOG_LEVEL: 'error', ...(watched && { WATCHED: watched }) },
    execArgv: ['--expose-gc', '--import', inRoot('test/gateway/abuse/memory-probe.ts')],
    silent: true,
  })
  const leave = () => void child.kill()
  process.once('exit', leave)
  const ended = once(child, 'close').then(([code]) => {
    process.off('exit', leave)
    return code as number | null
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text) => {
      output[name] += text
    })
  const gone = ended.then((code) => {
    throw new Error(
      `The gateway ended with code ${code}:\n${`${output.stdout}\n${output.stderr}`.slice(-2_000)}`,
    )
  })
  gone.catch(() => {})
  let told = 0
  const started = async () => {
    for (;;) {
      const [, url] = /REST API\s+(https?:\/\/[^\s/]+)/.exec(output.stdout) ?? []
      if (url !== undefined) return url
      await once(child.stdout ?? child, 'data')
    }
  }
  const url = await Promise.race([started(), gone])
  async function ask<T>(what: 'measured' | 'reached'): Promise<T> {
    if (!child.connected) return gone
    const answer = once(child, 'message')
    child.send(what)
    const [told] = await Promise.race([answer, gone])
    return told as T
  }
  return {
    url,
    measure: () => ask<Measured>('measured'),
    reached: () => ask<readonly number[]>('reached'),
    complaints() {
      const lines = output.stdout.split('\n').filter((line) => line.startsWith('{'))
      const all = [...lines, ...output.stderr.split('\n').filter(Boolean)]
      const fresh = all.slice(told)
      told = all.length
      return fresh
    },
    stop() {
      child.kill()
      return ended
    },
  }
}
