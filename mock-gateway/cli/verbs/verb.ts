import type { FlagTable } from '../flags.ts'
import type { ToolContext } from '../mcp/tools.ts'

/** Arguments of a command. */
export interface VerbArguments {
  readonly words: readonly string[]
  readonly flags: Readonly<Record<string, string | boolean | undefined>>
}

/** Dependencies of a command. */
export interface Tools {
  /** Connects to the gateway; `owner` is empty without `--merchant`. */
  connect(): Promise<ToolContext & { readonly owner: { readonly merchant_id?: number } }>
  /** The merchant, also if no gateway runs. */
  merchant(): Promise<ToolContext['merchant']>
  print(line: string): void
  /** Prints data with `--json`, else lines for people. */
  show(data: unknown, lines: readonly string[]): void
}

/** Runs a command. @returns its exit status @throws UsageError */
export type RunVerb = (given: VerbArguments, tools: Tools) => Promise<number>

/** A wrong word or flag: the message is followed by the usage of the command. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Returns the text of a flag. */
export const getText = ({ flags }: VerbArguments, name: string): string | undefined =>
  flags[name] as string | undefined

/** A command as its help shows it. */
export interface Command {
  /** Words after `mondido-gateway`. */
  readonly usage: string
  readonly does: string
  readonly flags: FlagTable
  readonly examples: readonly string[]
}

/** A command for a running gateway. */
export interface Verb extends Command {
  /** The highest number of words after the command. */
  readonly words: number
  readonly load: () => Promise<{
    readonly run: RunVerb
    /** Describes the command with its first word. @throws UsageError */
    readonly describe?: (verb: Verb, word: string | undefined) => Verb
  }>
}
