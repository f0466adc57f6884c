import { RefusedError } from '../../client/errors.ts'
import { parseFlags } from '../flags.ts'
import { writeVerbHelp } from '../help.ts'
import type { Environment } from '../setting-sources.ts'
import { findReason, StartError } from '../start-error.ts'
import { findMerchant, findToolContext, readGatewaySettings } from '../tool-context.ts'
import { COMMON_FLAGS, VERBS } from './table.ts'
import { type Tools, UsageError, type Verb, type VerbArguments } from './verb.ts'

/**
 * Carries out a command for a running gateway.
 * @returns its exit status
 * @throws StartError
 */
export async function runVerb(
  name: string,
  argv: readonly string[],
  env: Environment,
  print: (line: string) => void,
): Promise<number> {
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined
  if (!verb)
    throw new StartError(
      `There is no command "${name}". mondido-gateway --help lists all commands.`,
      2,
    )
  try {
    const { run, describe } = await verb.load()
    const described = describe?.(verb, argv[0]) ?? verb
    const given = readArguments(described, argv)
    if (given.flags.help) throw new StartError(writeVerbHelp(name, described), 0)
    return await run(given, createTools(given, env, print))
  } catch (error) {
    throw asStartError(error, verb, env)
  }
}

function readArguments({ flags, words: most }: Verb, argv: readonly string[]): VerbArguments {
  const refuse = (sentence: string) => new UsageError(`${sentence}.`)
  const { values, words } = parseFlags({ ...flags, ...COMMON_FLAGS }, argv, refuse)
  if (words.length > most) throw refuse(`"${words[most]}" is one word too many`)
  return { words, flags: values as VerbArguments['flags'] }
}

function createTools(
  { flags }: VerbArguments,
  env: Environment,
  print: (line: string) => void,
): Tools {
  return {
    async connect() {
      const context = await findToolContext(flags, env)
      const owner = flags.merchant === undefined ? {} : { merchant_id: context.merchant.id }
      return { ...context, owner }
    },
    merchant: async () =>
      findMerchant(flags, env, (await readGatewaySettings(flags, env)).merchants),
    print,
    show(data, lines) {
      if (flags.json) print(JSON.stringify(data, null, 2))
      else for (const line of lines) print(line)
    },
  }
}

/** Converts an error that the reader can correct into one sentence. */
function asStartError(error: unknown, { usage }: Verb, env: Environment): unknown {
  if (error instanceof UsageError)
    return new StartError(`${error.message}\nUsage: mondido-gateway ${usage}`, 2)
  if (error instanceof RefusedError) {
    const { description, errorName, code, explanation } = error
    const name = `(error ${code}, ${errorName})`
    // The description is about the address of a call, which no reader of a command has typed.
    if (errorName === 'errors.not_found' && explanation)
      return new StartError(`${explanation} ${name}`, 1, { cause: error })
    const why = explanation ? `\n${explanation}` : ''
    return new StartError(`${description} ${name}${why}`, 1, { cause: error })
  }
  // A TimeoutError of the client, or of an answer whose body does not end.
  if (error instanceof Error && ['NoAnswerError', 'TimeoutError'].includes(error.name)) {
    const reason = findReason(error.name === 'TimeoutError' ? error : (error.cause ?? error))
    const hint = explainProxy(error.message, env) ?? 'Is it still running?'
    return new StartError(`The gateway does not answer: ${reason}. ${hint}`, 1)
  }
  return error
}

/**
 * Explains that a variable sends a call for this machine to a proxy. Node reads it only with
 * NODE_USE_ENV_PROXY=1 or --use-env-proxy, and does not read ALL_PROXY (Node, "Built-in proxy
 * support").
 * @param call contains the address, such as `GET http://localhost:4400/v1`
 */
function explainProxy(call: string, env: Environment): string | undefined {
  const host = /\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.exec(call)?.[1]
  const isUsed =
    env.NODE_USE_ENV_PROXY === '1' || env.NODE_OPTIONS?.includes('--use-env-proxy') === true
  const excluded = (env.no_proxy ?? env.NO_PROXY ?? '').split(/[\s,]+/)
  const variable = ['http_proxy', 'HTTP_PROXY'].find((name) => env[name])
  if (!host || !isUsed || !variable || excluded.includes('*') || excluded.includes(host)) return
  return `${variable} sends this call to a proxy. Add ${host} to NO_PROXY.`
}
