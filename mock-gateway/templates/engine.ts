import { Liquid } from 'liquidjs'
import { exactNumber, type JsonValue } from '../domain/json.ts'
import { TEMPLATE_FILTERS } from './filters.ts'
import type { HtmlContext } from './html-contexts.ts'
import { WRITERS } from './printing.ts'
import { type Mode, type Problem, repair, WRITE } from './repair.ts'

/** What is to be rendered. */
export interface Job {
  readonly mode: Mode
  readonly source: string
  /** Other templates of the merchant that it may include, by name. */
  readonly partials: Readonly<Record<string, string>>
  /** JSON text of an object. */
  readonly variables: string
  /** Origins that scripts may come from when a variable names their address. */
  readonly own: readonly string[]
}

export interface Rendered {
  readonly text: string
  readonly problems: readonly Problem[]
}

/** Longest source of a template, in characters, and longest text that it may render, in bytes (our decision). */
export const SOURCE_LENGTH = 64 * 1024
export const OUTPUT_BYTES = 512 * 1024

/** Bare names of filters that templates assign as values (observed: 11.3). */
const NAMED_VALUES = { default_true: true, default_false: false }

/**
 * Renders a merchant's template. Its text is read once; what variables hold is never read as a template.
 * @throws what cannot be rendered, with a sentence that says why
 */
export function render({ mode, source, partials, variables, own }: Job): Rendered {
  if (source.length > SOURCE_LENGTH) throw new RangeError(`The template is longer than ${SOURCE_LENGTH} characters`)
  const reader = engine(own, {})
  const repaired = repair(reader, source, mode)
  const repairedPartials = Object.entries(partials).map(([name, text]) => [name, repair(reader, text, mode).source])
  const liquid = engine(own, Object.fromEntries(repairedPartials))
  const scope = { ...NAMED_VALUES, ...JSON.parse(variables, keepDigits as (key: string, value: unknown) => unknown) }
  const text: string = liquid.parseAndRenderSync(repaired.source, scope)
  if (Buffer.byteLength(text) > OUTPUT_BYTES) throw new RangeError(`The page is longer than ${OUTPUT_BYTES} bytes`)
  return { text, problems: repaired.problems }
}

function engine(own: readonly string[], templates: Record<string, string>): Liquid {
  const liquid = new Liquid({
    templates,
    ownPropertyOnly: true,
    strictFilters: false,
    strictVariables: false,
    // Of what is printed by other means than an output, such as `cycle`.
    outputEscape: (value: unknown) => WRITERS.bare(value, own),
    parseLimit: 4 * SOURCE_LENGTH,
    renderLimit: 2_000,
    memoryLimit: 4_000_000,
  })
  for (const [name, filter] of Object.entries(TEMPLATE_FILTERS)) liquid.registerFilter(name, filter as () => unknown)
  liquid.registerFilter(WRITE, {
    raw: true,
    handler: (value: unknown, place: HtmlContext) => WRITERS[place](value, own),
  })
  return liquid
}

/** Templates calculate with numbers; only where JavaScript would lose digits they stay as they were written. */
const keepDigits = (_key: string, value: JsonValue, { source }: { readonly source?: string }): JsonValue =>
  typeof value === 'number' && source !== undefined && !Number.isSafeInteger(value) && source.length > 15
    ? exactNumber(source)
    : value
