import { SETTINGS, type SettingName, writeSettingsHelp } from './settings-table.ts'
import { COMMON_FLAGS, VERBS } from './verbs/table.ts'
import type { Verb, VerbFlag } from './verbs/verb.ts'

/** Flags of `mondido-gateway check`, as `parseArgs` reads them and as its help shows them. */
export const CHECK_FLAGS = {
  plan: {
    type: 'string',
    default: 'shop-check.json',
    takes: 'file',
    help: 'the plan (default shop-check.json)',
  },
  init: { type: 'boolean', help: 'write the plan, after one purchase' },
  list: { type: 'boolean', help: 'list the cases' },
  only: { type: 'string', multiple: true, takes: 'case', help: 'run this case; repeatable' },
  seed: { type: 'string', takes: 'number', help: 'change the order of simultaneous events' },
  repeat: { type: 'string', takes: 'id', help: 'repeat a failure: its case and its seed' },
  'min-checked': { type: 'string', takes: 'number', help: 'fail if fewer cases are checked' },
  json: { type: 'boolean', help: 'print the results as JSON' },
  html: { type: 'string', takes: 'file', help: 'write a report for people' },
  junit: { type: 'string', takes: 'file', help: 'write the results for CI' },
  gateway: { type: 'string', takes: 'url', help: 'the gateway (default http://localhost:4400)' },
  'control-key': { type: 'string', takes: 'key', help: 'the control key it printed' },
  merchant: { type: 'string', takes: 'id', help: 'the merchant of the shop (default 1)' },
  password: { type: 'string', takes: 'text', help: "the merchant's password" },
} as const

/** Settings that `--help` shows, so that it fits on a screen. */
const FIRST_SETTINGS = [
  'port',
  'host',
  'memory',
  'data',
  'tls',
] as const satisfies readonly SettingName[]

/** Commands that start a gateway themselves, or need more than a running one. */
const OTHER_COMMANDS: Readonly<
  Record<string, Pick<Verb, 'usage' | 'does' | 'flags' | 'examples'> & { readonly see: string }>
> = {
  exec: {
    usage: 'exec [flags of the gateway] -- <command>',
    does: 'runs a command, such as npm test, with its own gateway',
    flags: {
      'wait-for': {
        takes: 'url',
        help: 'first wait until it answers, such as your shop; repeatable',
      },
    },
    examples: ['exec -- npm test', 'exec --wait-for http://localhost:3000 -- npx playwright test'],
    see: 'docs/reference/command.md#exec',
  },
  check: {
    usage: 'check <shop> [flags]',
    does: 'buys in your shop and reports its mistakes',
    flags: CHECK_FLAGS,
    examples: [
      'check http://localhost:3000 --init',
      'check http://localhost:3000',
      'check http://localhost:3000 --only webhook-twice',
    ],
    see: 'docs/how-to/check-my-shop.md',
  },
  mcp: {
    usage: 'mcp [flags of the gateway]',
    does: 'gives an assistant tools (Model Context Protocol)',
    flags: {},
    examples: ['mcp', 'mcp --data .mondido'],
    see: 'docs/reference/command.md#mcp',
  },
}

/** Formats lines with two columns. */
function formatColumns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`).join('\n')
}

const listFlagRows = (flags: Readonly<Record<string, VerbFlag>>) =>
  Object.entries(flags).map(
    ([name, { takes, help }]) => [takes ? `--${name} <${takes}>` : `--${name}`, help] as const,
  )

/** `mondido-gateway --help`. */
export const HELP = `A complete card payment service on your own machine.

Usage: mondido-gateway [flags]            runs a gateway
       mondido-gateway <command> [flags]

Commands for a running gateway:
${formatColumns(Object.entries(VERBS).map(([name, { does }]) => [name, does] as const))}

Other commands:
${formatColumns(Object.entries(OTHER_COMMANDS).map(([name, { does }]) => [name, does] as const))}

Flags of the gateway:
${formatColumns(listFlagRows(Object.fromEntries(FIRST_SETTINGS.map((name) => [name, SETTINGS[name]]))))}

Examples:
  mondido-gateway --memory --port 4411
  mondido-gateway exec -- npm test

mondido-gateway help <command>   explains one command
mondido-gateway help settings    lists every setting of the gateway
mondido-gateway --version        prints the version

Documentation: http://localhost:4400/docs while the gateway runs`

/** `mondido-gateway help settings`. */
export const SETTINGS_HELP = `Settings of the gateway:

${writeSettingsHelp()}

  --config <file>      settings as JSON (default mondido.config.json, if there is one)  [MONDIDO_CONFIG]
  --print-config       print the settings, and the source of each
  --print-schema       write the JSON schema of the configuration file
  --version, --help

Brackets show the environment variable. A flag overrides a variable; a variable overrides the file.`

/** Returns the help of a command for a running gateway, as in `mondido-gateway pay --help`. */
export const writeVerbHelp = (name: string, verb: Verb): string =>
  writeCommandHelp(
    name,
    verb,
    `For every command:\n${formatColumns(listFlagRows(COMMON_FLAGS))}\n\n`,
  )

/** Returns the help of a command. @param more text between its flags and its examples */
function writeCommandHelp(
  name: string,
  { usage, does, flags, examples }: Pick<Verb, 'usage' | 'does' | 'flags' | 'examples'>,
  more: string,
): string {
  const own = Object.keys(flags).length > 0 ? `${formatColumns(listFlagRows(flags))}\n\n` : ''
  return `mondido-gateway ${name}: ${does}.

Usage: mondido-gateway ${usage}

${own}${more}Examples:
${examples.map((example) => `  mondido-gateway ${example}`).join('\n')}`
}

/** Returns the text of `mondido-gateway help <topic>`; undefined if there is no such topic. */
export function findHelp(topic: string | undefined): string | undefined {
  if (topic === undefined) return HELP
  if (topic === 'settings') return SETTINGS_HELP
  const verb = Object.hasOwn(VERBS, topic) ? VERBS[topic] : undefined
  if (verb) return writeVerbHelp(topic, verb)
  const other = Object.hasOwn(OTHER_COMMANDS, topic) ? OTHER_COMMANDS[topic] : undefined
  return other && `${writeCommandHelp(topic, other, '')}\n\nSee ${other.see}.`
}
