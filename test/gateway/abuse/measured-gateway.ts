import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { GATEWAY_PROGRAM, programEnv } from '../../helpers/program.ts'
import type { Measured } from './memory-probe.ts'

/** A gateway in a process of its own, as anybody would start it, that can be asked what memory it holds. */
export interface MeasuredGateway {
  readonly url: string
  /** @throws Error with its last words when it has ended */
  measure(): Promise<Measured>
  /** Lines that it logged as errors, and what it wrote to stderr, as far as they are new. */
  complaints(): string[]
  /** Asks it to stop, and resolves with its exit code. */
  stop(): Promise<number | null>
}

const inRoot = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/** @param flags of the command line. @throws Error with its output when it does not start */
export async function startMeasuredGateway(flags: readonly string[]): Promise<MeasuredGateway> {
  const child = fork(inRoot(GATEWAY_PROGRAM), ['--port', '0', ...flags], {
    cwd: inRoot(''),
    env: { ...programEnv(), LOG_LEVEL: 'error' },
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
    throw new Error(`The gateway ended with code ${code}:\n${`${output.stdout}\n${output.stderr}`.slice(-2_000)}`)
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
  return {
    url,
    async measure() {
      if (!child.connected) return gone
      const answer = once(child, 'message')
      child.send('measure')
      const [measured] = await Promise.race([answer, gone])
      return measured as Measured
    },
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
