import { formatColumns, formatFlags } from './flags.ts'
import { SETTINGS, type SettingName } from './settings-table.ts'
import { COMMON_FLAGS, OTHER_COMMANDS, VERBS } from './verbs/table.ts'
import type { Command, Verb } from './verbs/verb.ts'

/** Settings that `--help` shows, so that it fits on a screen. */
const FIRST_SETTINGS = [
  'port',
  'host',
  'memory',
  'data',
  'tls',
] as const satisfies readonly SettingName[]

/** Formats commands with their purpose. */
const formatCommands = (commands: Readonly<Record<string, Command>>) =>
  formatColumns(Object.entries(commands).map(([name, { does }]) => [name, does]))

/** `mondido-gateway --help`. */
export const HELP = `A complete card payment service on your own machine.

Usage: mondido-gateway [flags]            runs a gateway
       mondido-gateway <command> [flags]

Commands for a running gateway:
${formatCommands(VERBS)}

Other commands:
${formatCommands(OTHER_COMMANDS)}

Flags of the gateway:
${formatFlags(Object.fromEntries(FIRST_SETTINGS.map((name) => [name, SETTINGS[name]])))}

Examples:
  mondido-gateway --memory --port 4411
  mondido-gateway exec -- npm test

mondido-gateway help <command>   explains one command
mondido-gateway help settings    lists every setting of the gateway
mondido-gateway --version        prints the version

Documentation: http://localhost:4400/docs while the gateway runs`

/** `mondido-gateway help settings`. */
export const SETTINGS_HELP = `Settings of the gateway:

${formatFlags(
  Object.fromEntries(
    Object.entries(SETTINGS).map(([name, setting]) => [
      name,
      { ...setting, help: `${setting.help}  [${setting.env}]` },
    ]),
  ),
)}

  --config <file>      settings as JSON (default mondido.config.json, if there is one)  [MONDIDO_CONFIG]
  --print-config       print the settings, and the source of each
  --print-schema       write the JSON schema of the configuration file
  --version, --help

Brackets show the environment variable. A flag overrides a variable; a variable overrides the file.`

/** Returns the help of a command for a running gateway, as in `mondido-gateway pay --help`. */
export const writeVerbHelp = (name: string, verb: Verb): string =>
  writeCommandHelp(name, verb, `For every command:\n${formatFlags(COMMON_FLAGS)}\n\n`)

/** Returns the help of a command. @param more text between its flags and its examples */
function writeCommandHelp(
  name: string,
  { usage, does, flags, examples }: Command,
  more: string,
): string {
  const own = Object.keys(flags).length > 0 ? `${formatFlags(flags)}\n\n` : ''
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
