import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isAsNew, sourcesLike } from './sources.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Program that starts a gateway, from the project's folder. It is the built command, which starts
 * in half the time, if this is as new as the sources, as in `npm test`; otherwise the sources.
 */
export const GATEWAY_PROGRAM = isAsNew(
  'mock-gateway/dist/cli.js',
  sourcesLike('{sdk,mock-gateway}/**/*.{ts,yaml,liquid,css}'),
)
  ? 'mock-gateway/launcher.cjs'
  : 'mock-gateway/cli.ts'

/**
 * Returns the environment of the project's programs: without vitest's own variables, such as
 * BASE_URL. Node caches the compiled code, which is half of a start.
 */
export function programEnv(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node') }
}

/** Returns true if this machine has a program that the project does not install, such as PHP. */
export function isHere(program: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(program, args.length > 0 ? args : ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Program of the project that a test started. */
export interface Program {
  readonly pid: number | undefined
  /** Returns all output so far, including errors. */
  output(): string
  /**
   * Resolves with the first printed line that `pattern` matches.
   * @throws Error if the program ends without such a line
   */
  printed(pattern: RegExp): Promise<string>
  /** Exit code when the program has ended; null if a signal ended it. */
  readonly ended: Promise<number | null>
  /** Sends a signal, and resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/**
 * Runs `mondido-gateway ...args` in a folder.
 * @returns the output
 * @throws if it fails
 */
export async function runGatewayIn(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const program = [join(root, GATEWAY_PROGRAM), ...args]
  const options = { cwd: folder, env: { ...programEnv(), ...env } }
  return (await promisify(execFile)(process.execPath, program, options)).stdout
}

/**
 * Starts `node <file> ...args` in the project's folder or in another folder. The caller stops it.
 */
export function startProgram(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  node: string = process.execPath,
  cwd: string = root,
): Program {
  const options = { cwd, env: { ...programEnv(), ...env } }
  const child: ChildProcess = spawn(node, [file, ...args], options)
  const leave = () => void child.kill()
  process.once('exit', leave)
  const ended = once(child, 'close').then(([code]) => {
    process.off('exit', leave)
    return code as number | null
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  return {
    pid: child.pid,
    output: () => output,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const line = output.split('\n').find((each) => pattern.test(each))
          if (line !== undefined) resolve(line)
        }
        for (const stream of [child.stdout, child.stderr]) stream?.on('data', look)
        ended.then(() => reject(new Error(`${file} ended without printing ${pattern}:\n${output}`)))
        look()
      }),
    ended,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}
