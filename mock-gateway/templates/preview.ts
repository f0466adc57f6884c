import type { Liquid } from 'liquidjs'
import { timers } from '../domain/timers.ts'
import { TEMPLATE_FIELDS, type TemplateFields } from '../serializers/template-fields.ts'
import type { TemplateKind } from '../storage/tables/templates.ts'
import { createLiquid, noPart, type RenderJob, renderTemplate } from './engine.ts'
import { posts, prepare } from './prepare.ts'
import { TemplateError, type TemplateProblem } from './problems.ts'
import { splitIntoTokens, type Token } from './tokens.ts'

/** A template to preview, stored or not, with the values of its page. */
export interface PreviewedTemplate extends Omit<RenderJob, 'prepared'> {
  readonly kind: TemplateKind
  readonly source: string
}

/** Preview of a template. */
export interface TemplatePreview {
  /** Null if it cannot be shown at all. */
  readonly html: string | null
  readonly problems: readonly TemplateProblem[]
}

/** Maximum number of reported problems of a template. */
const MOST_PROBLEMS = 100

/** Renders a template, and lists its mistakes and probable mistakes by line. */
export async function previewTemplate(template: PreviewedTemplate): Promise<TemplatePreview> {
  const { prepared, problems: found } = await prepare(template.source, template.kind)
  await timers.nextTurn()
  const problems = [...found, ...(await lint(template))]
  await timers.nextTurn()
  const html = await renderTemplate({ ...template, prepared }).catch((error: unknown) => {
    if (!(error instanceof TemplateError)) throw error
    const { line, reason: message } = error
    // A missing partial is reported before its effects.
    if (!problems.some((other) => other.line === line && other.message === message))
      problems.push({ line, message })
    return null
  })
  const inOrder = problems.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
  return { html, problems: inOrder.slice(0, MOST_PROBLEMS) }
}

async function lint(template: PreviewedTemplate): Promise<TemplateProblem[]> {
  const tokens = splitIntoTokens(template.source)
  return [
    ...filterRemarks(tokens),
    ...(await findUnknownVariables(tokens, template)),
    ...findMissingParts(tokens, template),
    ...(template.kind === 'page' ? findMissingForm(tokens, template) : []),
  ]
}

function filterRemarks(tokens: readonly Token[]): TemplateProblem[] {
  const known = createLiquid().filters
  return tokens.flatMap(({ kind, inside, line }) => {
    const code = kind === 'output' ? inside.replace(/"[^"]*"|'[^']*'/g, '""') : ''
    return [...code.matchAll(/\|\s*(\w+)/g)].flatMap(([, name = '']) => {
      if (name === 'raw')
        return { line, message: 'The filter raw has no effect: output is always escaped' }
      const message = `The filter ${name} does not exist, so it has no effect`
      return name in known ? [] : { line, message }
    })
  })
}

/** Variables of every page in addition to its transaction, Liquid's own, and bare names of filters. */
const ALWAYS =
  'locale error endpoint now csp_nonce mondido default_true default_false forloop tablerowloop'

/** Tags that define a variable, which later parts of the template can use. */
const DEFINES = /^(?:assign|capture|increment|decrement|for|tablerow)\s+(?<name>[\w-]+)/

/** Words of a tag before its expression. */
const BEFORE_EXPRESSION = /^(?:(?:for|tablerow)\s+[\w-]+\s+in|assign\s+[\w-]+\s*=|\w+)\s*/

async function findUnknownVariables(
  tokens: readonly Token[],
  { kind, partials }: PreviewedTemplate,
): Promise<TemplateProblem[]> {
  const tags = [...tokens, ...Object.values(partials).flatMap(splitIntoTokens)]
  const own = tags.flatMap(({ inside }) => DEFINES.exec(inside)?.groups?.name ?? [])
  const known = new Set([...ALWAYS.split(' '), ...own])
  const liquid = createLiquid()
  const problems: TemplateProblem[] = []
  for (const [index, { kind: of, inside, line }] of tokens.entries()) {
    if (of !== 'output' && of !== 'tag') continue
    const expression = of === 'tag' ? inside.replace(BEFORE_EXPRESSION, '') : inside
    for (const path of listPaths(liquid, expression)) {
      const root = String(path[0])
      // A partial can use the variables of the page that includes it.
      const isForeign = kind === 'partial' && !Object.hasOwn(TEMPLATE_FIELDS, root)
      const unknown = known.has(root) || isForeign ? undefined : unknownIn(path)
      if (unknown !== undefined)
        problems.push({ line, message: `The variable ${unknown} does not exist, so it is empty` })
    }
    if (index % 500 === 499) await timers.nextTurn()
  }
  return problems
}

/** Longest checked expression: Liquid takes the square of its length. */
const LONGEST_EXPRESSION = 1000

/** Returns the variables of an expression, each as its path. */
function listPaths(liquid: Liquid, expression: string) {
  if (expression.length > LONGEST_EXPRESSION) return []
  try {
    return liquid.variableSegmentsSync(liquid.parse(`{{ ${expression} }}`))
  } catch {
    // Reported already.
    return []
  }
}

/** Returns the path up to the first name that does not exist. */
function unknownIn(path: readonly unknown[]): string | undefined {
  let known: TemplateFields | null = TEMPLATE_FIELDS
  for (const [index, name] of path.entries()) {
    // The name is computed or an item of a list, so the path beyond it is unknown.
    if (known === null || typeof name !== 'string') return undefined
    if (!Object.hasOwn(known, name)) return path.slice(0, index + 1).join('.')
    known = known[name] ?? null
  }
  return undefined
}

const PART = /^(?:include|render|layout)\s+(["'])(?<name>.*?)\1/

const findPart = ({ kind, inside }: Token) =>
  kind === 'tag' ? PART.exec(inside)?.groups?.name : undefined

function findMissingParts(
  tokens: readonly Token[],
  { partials }: PreviewedTemplate,
): TemplateProblem[] {
  return tokens.flatMap((token) => {
    const name = findPart(token)
    const isMissing = name !== undefined && !Object.hasOwn(partials, name)
    return isMissing ? [{ line: token.line, message: noPart(name) }] : []
  })
}

const FORM = /<form(?=[\s>])[^>]*/gi

function findMissingForm(
  tokens: readonly Token[],
  { source, partials }: PreviewedTemplate,
): TemplateProblem[] {
  const included = tokens.flatMap((token) => partials[findPart(token) ?? ''] ?? [])
  const forms = [source, ...included].flatMap((text) => [...text.matchAll(FORM)])
  if (forms.some(([tag]) => posts(tag))) return []
  const [first] = source.matchAll(FORM)
  if (first === undefined)
    return [{ line: 1, message: 'The page has no form, so payers cannot pay on it' }]
  const line = source.slice(0, first.index).split('\n').length
  return [{ line, message: 'The form needs method="post" to send its fields' }]
}
