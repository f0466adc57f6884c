import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import { createControl, withOperations } from '../client/control.ts'
import { performance, timers } from '../domain/timers.ts'
import { type RunGateway, type RunningGateway, TEMPORARY } from './running-gateway.ts'
import type { Environment } from './setting-sources.ts'
import { findReason, StartError } from './start-error.ts'

/** Milliseconds for an address that `--wait-for` names. */
const PATIENCE = 60_000

/** Exit status that shells use for a missing command. */
const NOT_RUN = 127

/** Name of the file with the gateway's report, written when the command failed. */
export const REPORT = 'mondido-report.txt'

/**
 * Runs a command with a temporary gateway, and stops the gateway when the command has ended.
 * @returns the exit status of the command, 127 if it cannot be run
 * @throws StartError
 */
export async function exec(
  argv: readonly string[],
  env: Environment,
  run: RunGateway,
): Promise<number> {
  const { flags, addresses, command } = readCommand(argv)
  const gateway = await run(flags, env, () => {}, TEMPORARY)
  try {
    for (const address of addresses) await waitForAnswer(address)
    const status = await withTrust(gateway.certificate, (trust) =>
      runCommand(command, { ...env, ...createVariables(gateway), ...trust }),
    )
    if (status !== 0 && status !== NOT_RUN) await tellWhatWasSeen(gateway, status)
    return status
  } finally {
    await gateway.close()
  }
}

/**
 * Splits the arguments: those before `--` are for the gateway, except the addresses to wait for.
 */
function readCommand(argv: readonly string[]) {
  const end = argv.indexOf('--')
  const command = end < 0 ? [] : argv.slice(end + 1)
  if (command.length === 0)
    throw new StartError(
      'exec needs a command behind --, such as: mondido-gateway exec -- npm test.',
      2,
    )
  const [flags, addresses]: [string[], string[]] = [[], []]
  const given = argv.slice(0, end).values()
  for (const arg of given) {
    const [name, ...value] = arg.split('=')
    if (name !== '--wait-for') flags.push(arg)
    else addresses.push(readAddress(value.length > 0 ? value.join('=') : given.next().value))
  }
  return { command, addresses, flags }
}

function readAddress(value = ''): string {
  if (/^https?:$/.test(URL.parse(value)?.protocol ?? '')) return value
  const example = 'an http or https address such as http://localhost:3000'
  throw new StartError(`--wait-for needs ${example}, not "${value}".`, 2)
}

/** Returns the variables of the command. */
function createVariables({ addresses, control, merchant }: RunningGateway): Environment {
  return {
    MONDIDO_BASE_URL: addresses.base,
    MONDIDO_PAY_URL: addresses.pay,
    MONDIDO_CDN_URL: addresses.cdn,
    ...(control.key === undefined ? {} : { MONDIDO_CONTROL_KEY: control.key }),
    MONDIDO_MERCHANT_ID: String(merchant.id),
    MONDIDO_PASSWORD: merchant.password,
    MONDIDO_SECRET: merchant.secret,
  }
}

/**
 * Resolves when any answer arrives from an address.
 * @throws StartError
 */
async function waitForAnswer(address: string): Promise<void> {
  const until = performance.now() + PATIENCE
  for (;;) {
    try {
      await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(5_000) })
      return
    } catch {
      if (performance.now() > until)
        throw new StartError(
          `--wait-for got no answer from ${address} after ${PATIENCE / 1000} seconds.`,
        )
      await timers.pause(100)
    }
  }
}

/** Signals that stop it are the command's. Ctrl-C of a terminal reaches it without help. */
const PASSED_ON = [
  'SIGTERM',
  'SIGHUP',
  ...(process.stdin.isTTY ? [] : ['SIGINT' as const]),
] as const

async function runCommand(
  [program = '', ...args]: readonly string[],
  env: Environment,
): Promise<number> {
  const child = spawn(program, args, {
    env: { ...env },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  const handlers = PASSED_ON.map((signal) => [signal, () => void child.kill(signal)] as const)
  const ignore = () => {}
  for (const [signal, pass] of handlers) process.on(signal, pass)
  process.on('SIGINT', ignore)
  try {
    const [code, signal]: [number | null, NodeJS.Signals | null] = await waitForExit(child)
    return code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 0)
  } catch (error) {
    process.stderr.write(`The command "${program}" cannot be run: ${findReason(error)}.\n`)
    return NOT_RUN
  } finally {
    for (const [signal, pass] of handlers) process.off(signal, pass)
    process.off('SIGINT', ignore)
  }
}

const waitForExit = (
  child: ReturnType<typeof spawn>,
): Promise<[number | null, NodeJS.Signals | null]> =>
  once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>

/** Writes the report. An error of writing must not hide the result of the command. */
async function tellWhatWasSeen(
  { url, control, handle }: RunningGateway,
  status: number,
): Promise<void> {
  if (control.key === undefined) return
  try {
    const report = await writeReport(url, control.key, handle)
    // Replaces a link of this name instead of writing to the file behind it.
    await rm(REPORT, { force: true })
    await writeFile(REPORT, report, { flag: 'wx' })
    process.stderr.write(
      `The command ended with ${status}; the report of the gateway is in ${REPORT}.\n`,
    )
  } catch (error) {
    process.stderr.write(`The report of the gateway could not be written: ${findReason(error)}.\n`)
  }
}

/**
 * Writes a report as text: the latest requests and webhook deliveries, oldest first.
 * @param url address of the gateway
 * @param controlKey key of its control API
 * @param handle calls the gateway without a connection, whatever its certificate is
 */
async function writeReport(
  url: string,
  controlKey: string,
  handle: RunningGateway['handle'],
): Promise<string> {
  const control = withOperations(createControl({ url, controlKey, fetch: handle }))
  const { requests } = await control.requests.list({ limit: 1000 })
  const deliveries = await control.deliveries.list()
  const lines = requests
    .filter(({ route }) => !route?.startsWith('/_control'))
    .map(({ at, merchant_id, method, route, status, error, explain }) =>
      ['  ', at, `merchant ${merchant_id ?? '-'}`, method, route, status, error, explain]
        .filter((part) => part !== null)
        .join(' '),
    )
  return [
    'Requests',
    ...(lines.length > 0 ? lines.toReversed() : [describeNoRequests(url)]),
    '',
    'Webhooks',
    ...deliveries
      .toReversed()
      .map((one) => `  ${one.id} ${one.trigger} of merchant ${one.merchant_id}: ${one.status}`),
    '',
  ].join('\n')
}

/** Names the address, because the tests may have called another gateway. */
const describeNoRequests = (url: string): string =>
  `  none: no request reached ${url}, which the command received as MONDIDO_BASE_URL`

/**
 * Makes child programs trust a certificate, in addition to the certificates that they trust
 * already. Node adds the file of its variable; OpenSSL (Ruby, PHP, Python), curl and Python's
 * requests trust only the file of theirs.
 * @param certificate PEM; undefined if there is none
 * @param work gets the variables, whose files exist until it ends
 */
async function withTrust<Result>(
  certificate: string | undefined,
  work: (variables: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> {
  if (certificate === undefined) return work({})
  const folder = await mkdtemp(join(tmpdir(), 'mondido-trust-'))
  const keep = async (name: string, known: readonly string[]) => {
    const file = join(folder, name)
    await writeFile(
      file,
      `${[...new Set([...known, certificate])].map((each) => each.trim()).join('\n')}\n`,
    )
    return file
  }
  try {
    const added = await keep('added.pem', getCACertificates('extra'))
    const all = await keep('all.pem', [
      ...getCACertificates('default'),
      ...getCACertificates('system'),
    ])
    return await work({
      NODE_EXTRA_CA_CERTS: added,
      SSL_CERT_FILE: all,
      CURL_CA_BUNDLE: all,
      REQUESTS_CA_BUNDLE: all,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
