import { FLAGS_ASIDE } from './given.ts'
import { settingsList } from './settings-table.ts'
import { StartError } from './start-error.ts'

/** What the shell completes: flags, and the values of those that have few. */
interface Word {
  readonly flag: string
  readonly help: string
  readonly values: readonly string[]
  readonly isPath: boolean
  readonly takesValue: boolean
}

const WORDS: readonly Word[] = [
  ...settingsList.map(({ name, help, oneOf = [], isPath = false, takes }) => ({
    flag: `--${name}`,
    help: help.replaceAll(/['"[\]:$`\\]/g, ''),
    values: oneOf,
    isPath,
    takesValue: takes !== undefined,
  })),
  ...FLAGS_ASIDE.map((name) => ({
    flag: `--${name}`,
    help: '',
    values: [],
    isPath: name === 'config',
    takesValue: name === 'config',
  })),
]

const COMMANDS = ['exec', 'mcp', 'completion']

const bash = () => `# bash: eval "$(mondido-gateway completion bash)"
_mondido_gateway() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  case "$before" in
${WORDS.filter(({ takesValue }) => takesValue)
  .map(({ flag, values, isPath }) =>
    values.length > 0
      ? `    ${flag}) COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$word")); return ;;`
      : `    ${flag}) COMPREPLY=(${isPath ? '$(compgen -f -- "$word")' : ''}); return ;;`,
  )
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W '${[...WORDS.map(({ flag }) => flag), ...COMMANDS].join(' ')}' -- "$word"))
}
complete -F _mondido_gateway mondido-gateway
`

const zsh = () => `#compdef mondido-gateway
# zsh: mondido-gateway completion zsh > a folder of $fpath, as _mondido-gateway
_arguments \\
${WORDS.map(({ flag, help, values, isPath, takesValue }) => {
  const value = values.length > 0 ? `:value:(${values.join(' ')})` : isPath ? ':file:_files' : ':value: '
  return `  '${flag}[${help}]${takesValue ? value : ''}' \\`
}).join('\n')}
  '1:command:(${COMMANDS.join(' ')})'
`

const fish = () =>
  `# fish: mondido-gateway completion fish > ~/.config/fish/completions/mondido-gateway.fish
complete -c mondido-gateway -f
complete -c mondido-gateway -n __fish_use_subcommand -a '${COMMANDS.join(' ')}'
${WORDS.map(({ flag, help, values, isPath, takesValue }) => {
  const value = values.length > 0 ? ` -x -a '${values.join(' ')}'` : isPath ? ' -r -F' : takesValue ? ' -x' : ''
  return `complete -c mondido-gateway -l ${flag.slice(2)} -d '${help}'${value}`
}).join('\n')}
`

const SHELLS: Readonly<Record<string, () => string>> = { bash, zsh, fish }

/** Prints what a shell completes. @throws StartError with exit code 2 for a shell it does not know */
export async function completion([shell = '']: readonly string[], print: (text: string) => void): Promise<number> {
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
  if (!script) throw new StartError(`completion needs the name of a shell: ${Object.keys(SHELLS).join(', ')}.`, 2)
  print(script())
  return 0
}
