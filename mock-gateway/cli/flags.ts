import { parseArgs } from 'node:util'

/** A flag of a command, as the command reads it and as its help shows it. */
interface Flag {
  /** Kind of its value; undefined: a switch. */
  readonly takes?: string
  /** Its letter, as in `-h`. */
  readonly short?: string
  /** It can be given several times, and its value is a list. */
  readonly isList?: true
  readonly help?: string
}

export type FlagTable = Readonly<Record<string, Flag>>

type FlagValue<Described extends Flag> = Described extends { isList: true }
  ? readonly string[]
  : Described extends { takes: string }
    ? string
    : boolean

/** Values of the flags of a table; a flag that was not given is undefined. */
export type FlagValues<Table extends FlagTable> = {
  readonly [Name in keyof Table]?: FlagValue<Table[Name]>
}

/**
 * Reads the arguments of a command.
 * @param refuse creates the error from one sentence, without its full stop
 */
export function parseFlags<const Table extends FlagTable>(
  flags: Table,
  argv: readonly string[],
  refuse: (sentence: string) => Error,
): { readonly values: FlagValues<Table>; readonly words: readonly string[] } {
  const options = Object.entries(flags).map(([name, { takes, short, isList }]) => {
    const type = takes ? 'string' : 'boolean'
    return [name, { type, multiple: isList ?? false, ...(short && { short }) } as const] as const
  })
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: Object.fromEntries(options),
      allowPositionals: true,
    })
    return { values: values as FlagValues<Table>, words: positionals }
  } catch (error) {
    throw refuse((error as Error).message.split('. ')[0] ?? '')
  }
}

/** Formats lines with two columns. */
export function formatColumns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`).join('\n')
}

/** Formats flags for the help, such as `--port <number>  port to listen on`. */
export const formatFlags = (flags: FlagTable): string =>
  formatColumns(
    Object.entries(flags).map(([name, { takes, help = '' }]) => [
      takes ? `--${name} <${takes}>` : `--${name}`,
      help,
    ]),
  )
