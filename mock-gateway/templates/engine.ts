import { Liquid, RenderError, type Template } from 'liquidjs'
import { exactNumber, type JsonValue } from '../domain/json.ts'
import type { TemplateKind } from '../storage/tables/templates.ts'
import { TEMPLATE_FILTERS } from './filters.ts'
import type { HtmlContext } from './html-contexts.ts'
import { lint, noPart, type VariableUse } from './lint.ts'
import { WRITERS } from './printing.ts'
import { inOrder, type OutputMode, repair, type TemplateProblem, WRITE } from './repair.ts'
import { SOURCE_LENGTH } from './source-length.ts'

/** A rendering job. */
export interface Job {
  readonly mode: OutputMode
  readonly source: string
  /** Other templates of the merchant that it may include, by name. */
  readonly partials: Readonly<Record<string, string>>
  /** JSON text of an object. */
  readonly variables: string
  /** Origins that scripts may come from when a variable names their address. */
  readonly own: readonly string[]
  /** Also checks the template as this kind, for likely mistakes. */
  readonly check?: TemplateKind
}

export interface RenderedTemplate {
  readonly text: string
  readonly problems: readonly TemplateProblem[]
}

/** Longest text that a template may render (our decision). */
const OUTPUT_BYTES = 512 * 1024

/** Maximum number of reported problems of a template. */
const PROBLEMS = 100

/** Bare names of filters that templates assign as values (observed: 11.3). */
const NAMED_VALUES = { default_true: true, default_false: false }

/** A template that cannot be rendered; the message says why in one sentence. */
export class TemplateRenderError extends Error {
  /** All that is wrong with it, this among it. */
  readonly problems: readonly TemplateProblem[]

  constructor({ line, message }: TemplateProblem, others: readonly TemplateProblem[] = []) {
    super(line === null ? message : `Line ${line}: ${message}`)
    // A missing partial is reported before its effects.
    const isTold = others.some((other) => other.line === line && other.message === message)
    this.problems = isTold ? others : inOrder([...others, { line, message }])
  }
}

/**
 * Renders a merchant's template. Its source is parsed once; values of variables are never parsed as
 * templates.
 * @throws TemplateRenderError
 */
export function render({ mode, source, partials, variables, own, check }: Job): RenderedTemplate {
  if (source.length > SOURCE_LENGTH)
    throw new TemplateRenderError({
      line: null,
      message: `The template is longer than ${SOURCE_LENGTH} characters`,
    })
  const reader = engine(own, {})
  const uses: VariableUse[] = []
  const notice = (line: number, read: Template[]) =>
    uses.push({ line, paths: reader.variableSegmentsSync(read, { partials: false }) })
  const repaired = repair(reader, source, mode, check && notice)
  const looked = check ? lint({ kind: check, source, uses, partials }) : []
  const problems = inOrder([...repaired.problems, ...looked]).slice(0, PROBLEMS)
  const repairedPartials = Object.entries(partials).map(([name, text]) => [
    name,
    repair(reader, text, mode).source,
  ])
  const liquid = engine(own, Object.fromEntries(repairedPartials))
  const scope = {
    ...NAMED_VALUES,
    ...JSON.parse(variables, keepDigits as (key: string, value: unknown) => unknown),
  }
  const text = renderOr(problems, () => liquid.parseAndRenderSync(repaired.source, scope))
  if (Buffer.byteLength(text) > OUTPUT_BYTES)
    throw new TemplateRenderError(
      { line: null, message: `The page is longer than ${OUTPUT_BYTES} bytes` },
      problems,
    )
  return { text, problems }
}

function renderOr(problems: readonly TemplateProblem[], rendering: () => string): string {
  try {
    return rendering()
  } catch (error) {
    const reason = String((error as Error).message).replace(/, (?:file|line):.*|\n.*/s, '')
    if (!(error instanceof RenderError))
      throw new TemplateRenderError({ line: null, message: reason }, problems)
    const [line = null] = error.token.getPosition()
    const [, part] = /^ENOENT: Failed to lookup "([^"]*)"/.exec(reason) ?? []
    const { file } = error.token
    const message = part === undefined ? reason : noPart(part)
    throw new TemplateRenderError(
      file
        ? { line: null, message: `Line ${line} of the part ${file}: ${message}` }
        : { line, message },
      problems,
    )
  }
}

function engine(own: readonly string[], templates: Record<string, string>): Liquid {
  const liquid = new Liquid({
    templates,
    ownPropertyOnly: true,
    strictFilters: false,
    strictVariables: false,
    // For values printed without an output, for example by `cycle`.
    outputEscape: (value: unknown) => WRITERS.bare(value, own),
    parseLimit: 4 * SOURCE_LENGTH,
    renderLimit: 10_000,
    memoryLimit: 4_000_000,
  })
  for (const [name, filter] of Object.entries(TEMPLATE_FILTERS))
    liquid.registerFilter(name, filter as () => unknown)
  liquid.registerFilter(WRITE, {
    raw: true,
    handler: (value: unknown, place: HtmlContext) => WRITERS[place](value, own),
  })
  return liquid
}

/**
 * Templates calculate with numbers; only where JavaScript would lose digits they stay as they were
 * written.
 */
const keepDigits = (
  _key: string,
  value: JsonValue,
  { source }: { readonly source?: string },
): JsonValue =>
  typeof value === 'number' &&
  source !== undefined &&
  !Number.isSafeInteger(value) &&
  source.length > 15
    ? exactNumber(source)
    : value
