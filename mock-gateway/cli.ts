import { writeBanner } from './cli/banner.ts'
import { loadControlKey, makeDataFolder, removeAddress, writeAddress } from './cli/data-folder.ts'
import { listen } from './cli/listen.ts'
import { createLogger } from './cli/log.ts'
import { reportInto } from './cli/run-report.ts'
import type { RunningGateway } from './cli/running-gateway.ts'
import { findFolder, isLoopback, readSettings, type Settings } from './cli/settings.ts'
import { findReason, StartError } from './cli/start-error.ts'
import type { Addresses } from './domain/addresses.ts'
import {
  createGateway,
  createRandomControlKey,
  type Gateway,
  MACHINE,
  OptionError,
  version,
} from './gateway.ts'

export type { RunningGateway } from './cli/running-gateway.ts'
export { readPort } from './cli/settings.ts'
export { StartError } from './cli/start-error.ts'

/**
 * Runs a gateway with the settings of the command line, and prints its addresses.
 * @param defaults settings of a command, written as variables, unless they are set elsewhere
 * @throws StartError if it cannot start, or if only a text was requested
 */
export async function runGateway(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  print: (text: string) => void,
  defaults: Readonly<Record<string, string>> = {},
): Promise<RunningGateway> {
  const request = await readSettings(argv, env, defaults)
  if (request.kind === 'help') throw new StartError((await import('./cli/help.ts')).HELP, 0)
  if (request.kind === 'version') throw new StartError(await version(), 0)
  if (request.kind === 'print-schema') throw new StartError(await printedSchema(), 0)
  if (request.kind === 'print-config') throw new StartError(request.config, 0)
  const { settings } = request
  const listening = await listen(settings)
  const { url } = listening
  const { base = url } = settings.addresses
  const addresses = { base, pay: base, cdn: base, ...settings.addresses }
  const hosts = isLoopback(settings.host)
    ? listHosts([url, ...Object.values(addresses)])
    : undefined
  const gateway = await openGateway(settings, addresses, hosts).catch(async (error) => {
    await listening.close()
    throw error
  })
  listening.answerWith(gateway.app)
  const folder = findFolder(settings)
  if (folder !== undefined) await writeAddress(folder, url)
  const control = { key: gateway.controlKey, isChosen: typeof settings.control === 'string' }
  print(
    writeBanner(
      addresses,
      settings.merchants,
      settings.database,
      settings.tls,
      control,
      MACHINE.now(),
    ),
  )
  return {
    url,
    addresses,
    certificate: listening.certificate,
    merchant: settings.merchants[0] as RunningGateway['merchant'],
    control,
    handle: gateway.handle,
    setExamplesUrl: gateway.setExamplesUrl,
    async close() {
      if (folder !== undefined) await removeAddress(folder, url)
      await listening.close()
      await gateway.close()
    },
  }
}

const printedSchema = async () =>
  JSON.stringify((await import('./cli/config-schema.ts')).createConfigSchema(), null, 2)

/** Returns the Host names of a local gateway, in addition to its configured addresses. */
const listHosts = (addresses: readonly string[]): readonly string[] => [
  ...new Set([
    'localhost',
    '127.0.0.1',
    '[::1]',
    ...addresses.map((address) => new URL(address).hostname),
  ]),
]

async function openGateway(
  settings: Settings,
  addresses: Addresses,
  hosts: readonly string[] | undefined,
): Promise<Gateway> {
  const {
    database,
    merchants,
    log,
    logLevel,
    host,
    webhooks,
    templates,
    fixtures,
    secretsKey,
    report,
    mockHeader,
  } = settings
  const folder = findFolder(settings)
  try {
    if (folder !== undefined) await makeDataFolder(folder)
    const ownSecretsOnly = !isLoopback(host)
    const logger = createLogger(
      logLevel,
      (log ?? (process.stdout.isTTY ? 'text' : 'json')) === 'text' ? process.stdout : undefined,
    )
    const control =
      settings.control ?? (folder && (await loadControlKey(folder, createRandomControlKey)))
    return await createGateway({
      database,
      secretsKey,
      addresses,
      hosts,
      merchants,
      webhooks,
      templates,
      fixtures,
      ownSecretsOnly,
      control,
      mockHeader,
      report: report === undefined ? undefined : await reportInto(report),
      logger,
    }).catch(refuseOption)
  } catch (error) {
    if (error instanceof StartError) throw error
    const what = folder === undefined ? 'The database' : `The data folder ${folder}`
    throw new StartError(`${what} cannot be used: ${findReason(error)}.`, 1, { cause: error })
  }
}

/**
 * Converts an error about an option's value, such as a file of fixtures. @throws StartError; other
 * errors unchanged
 */
function refuseOption(error: unknown): never {
  throw error instanceof OptionError ? new StartError(error.message, 2, { cause: error }) : error
}

/**
 * Commands other than the gateway itself, each loaded when it is used; they resolve with their exit
 * status.
 */
const COMMANDS: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  exec: async (args) => (await import('./cli/exec.ts')).exec(args, process.env, runGateway),
  check: async (args) =>
    (await import('./cli/check.ts')).check(args, process.env, print, runGateway),
  help: ([topic]) => printHelp(topic),
  mcp: async (args) =>
    (await import('./cli/mcp.ts')).serveAssistant(args, process.env, runGateway, version),
}

async function printHelp(topic: string | undefined): Promise<number> {
  const text = (await import('./cli/help.ts')).findHelp(topic)
  if (text === undefined)
    throw new StartError(
      `"${topic}" is not a command. mondido-gateway --help lists all commands.`,
      2,
    )
  print(text)
  return 0
}

/** Returns true for `--help` or `-h`. Words after `--` belong to the command that `exec` runs. */
const asksForHelp = (args: readonly string[]): boolean => {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? undefined : end).some((arg) => arg === '--help' || arg === '-h')
}

const print = (text: string) => void process.stdout.write(`${text}\n`)

/** Runs the command until a signal ends it. The package's launcher calls this function. */
export async function main(): Promise<void> {
  // Readers such as head close the pipe before everything is printed.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  const [name = '', ...args] = process.argv.slice(2)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  try {
    if (command) {
      process.exitCode = await (asksForHelp(args) ? printHelp(name) : command(args))
      return
    }
    if (name !== '' && !name.startsWith('-')) {
      process.exitCode = await (await import('./cli/verbs/run.ts')).runVerb(
        name,
        args,
        process.env,
        print,
      )
      return
    }
    const starting = runGateway(process.argv.slice(2), process.env, print)
    // Signals are handled from the first moment on, so that a program that stops a gateway
    // immediately after its banner does not cut it off. A second signal has no effect: the terminal
    // sends Ctrl-C, and npx sends it again.
    let isReported = false
    const stop = () => {
      if (!isReported)
        void starting.then(
          (gateway) => gateway.close(),
          () => {},
        )
      isReported = true
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
    await starting
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    process.exitCode = error.exitCode
    ;(error.exitCode === 0 ? process.stdout : process.stderr).write(`${error.message}\n`)
  }
}

// Not awaited: the launcher loads this file with require(), which takes no module that waits.
if (import.meta.main) void main()
