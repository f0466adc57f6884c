import type { ToolContext } from '../mcp/tools.ts'

/** Arguments of a command. */
export interface VerbArguments {
  readonly words: readonly string[]
  readonly flags: Readonly<Record<string, string | boolean | undefined>>
}

/** Dependencies of a command. */
export interface Tools {
  connect(): Promise<ToolContext>
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
export const textOf = ({ flags }: VerbArguments, name: string): string | undefined =>
  flags[name] as string | undefined
