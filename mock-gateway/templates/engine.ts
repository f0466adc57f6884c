import { Liquid, RenderError } from 'liquidjs'
import { type JsonValue, parseExactNumber } from '../domain/json.ts'
import { timers } from '../domain/timers.ts'
import { TEMPLATE_FILTERS } from './filters.ts'
import type { HtmlContext } from './html-contexts.ts'
import { type FilterScope, writeValue } from './printing.ts'
import { TemplateError } from './problems.ts'

/** A rendering job. */
export interface RenderJob {
  /** The prepared template, see prepare.ts. */
  readonly prepared: string
  /** Other prepared templates of the merchant that it may include, by name. */
  readonly partials: Readonly<Record<string, string>>
  readonly variables: object
  /** Origins that scripts may come from when a variable names their address. */
  readonly own: readonly string[]
}

/** The filter that writes a value for its place in the page; last in every output. */
export const WRITE = '_write'

/** Longest text that a template may render (our decision). */
const OUTPUT_BYTES = 512 * 1024

/**
 * Limits of Liquid, so that no template keeps the gateway from other requests for more than 250 ms
 * (our decision). Milliseconds of a rendering, characters and items of all values that it makes, and
 * characters of a template with its partials.
 */
const LIMITS = { renderLimit: 100, memoryLimit: 800_000, parseLimit: 512 * 1024 }

/** Bare names of filters that templates assign as values (observed: 11.3). */
const NAMED_VALUES = { default_true: true, default_false: false }

/** Creates a Liquid engine that reads no files, and writes every value for its place. */
export function createLiquid(
  partials: RenderJob['partials'] = {},
  own: readonly string[] = [],
): Liquid {
  function write(this: FilterScope, value: unknown, place: HtmlContext): string {
    return writeValue(value, place, this, own)
  }
  const liquid = new Liquid({
    templates: { ...partials },
    ownPropertyOnly: true,
    strictFilters: false,
    strictVariables: false,
    // For values printed without an output: in the tag `liquid`.
    outputEscape: function (this: FilterScope, value: unknown) {
      return write.call(this, value, 'bare')
    } as (value: unknown) => string,
    ...LIMITS,
  })
  // Filters that evaluate an expression for each item of a list: no limit of Liquid stops them.
  for (const name of Object.keys(liquid.filters).filter((each) => /_exp$/.test(each)))
    liquid.unregisterFilter(name)
  for (const [name, filter] of Object.entries(TEMPLATE_FILTERS))
    liquid.registerFilter(name, filter as () => unknown)
  liquid.registerFilter(WRITE, { raw: true, handler: write as () => string })
  return liquid
}

/**
 * Renders a merchant's template. Values of variables are never parsed as templates.
 * @throws TemplateError
 */
export async function renderTemplate(job: RenderJob): Promise<string> {
  const text = await renderOnce(job).catch((error: Error) => {
    if (!error.message.includes('template render limit')) throw error
    // The limit is in real time: a busy machine, or a first rendering, may need a second try.
    return timers.nextTurn().then(() => renderOnce(job))
  })
  if (Buffer.byteLength(text) > OUTPUT_BYTES)
    throw new TemplateError(`The page is longer than ${OUTPUT_BYTES} bytes`)
  return text
}

async function renderOnce({ prepared, partials, variables, own }: RenderJob): Promise<string> {
  const scope = JSON.parse(
    JSON.stringify(variables),
    keepDigits as (key: string, value: unknown) => unknown,
  )
  try {
    const liquid = createLiquid(partials, own)
    return liquid.parseAndRenderSync(prepared, { ...NAMED_VALUES, ...scope })
  } catch (error) {
    throw toTemplateError(error as Error)
  }
}

function toTemplateError(error: Error): TemplateError {
  const reason = error.message.replace(/, (?:file|line):.*|\n.*/s, '')
  if (!(error instanceof RenderError)) return new TemplateError(reason)
  const [line = null] = error.token.getPosition()
  const [, part] = /^ENOENT: Failed to lookup "([^"]*)"/.exec(reason) ?? []
  const message = part === undefined ? reason : noPart(part)
  const { file } = error.token
  return file
    ? new TemplateError(`Line ${line} of the part ${file}: ${message}`)
    : new TemplateError(message, line)
}

/** Describes the problem of an included partial that does not exist. */
export const noPart = (name: string): string =>
  `The part "${name}" does not exist, so the page cannot be shown`

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
    ? parseExactNumber(source)
    : value
