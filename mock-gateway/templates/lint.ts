import type { Liquid } from 'liquidjs'
import { TEMPLATE_FIELDS, type TemplateFields } from '../serializers/template-fields.ts'
import type { TemplateKind } from '../storage/tables/templates.ts'
import { HtmlReader } from './html-contexts.ts'
import { posts } from './prepare.ts'
import type { TemplateProblem } from './repair.ts'
import { type Token, tokensOf } from './tokens.ts'

/** Variables that an output or a tag uses, each as its path. */
export interface VariableUse {
  readonly line: number
  readonly paths: ReturnType<Liquid['variableSegmentsSync']>
}

/** Options of the check. */
export interface LintOptions {
  readonly kind: TemplateKind
  readonly source: string
  readonly uses: readonly VariableUse[]
  /** Other templates of the merchant that it may include, by name. */
  readonly partials: Readonly<Record<string, string>>
}

/** Lists probable mistakes in a valid template, by line. */
export function lint({ kind, source, uses, partials }: LintOptions): TemplateProblem[] {
  const tokens = tokensOf(source)
  return [
    ...strayBraces(tokens),
    ...unknownVariables(kind, uses, [...tokens, ...Object.values(partials).flatMap(tokensOf)]),
    ...missingParts(tokens, partials),
    ...(kind === 'page' ? missingForm(source, tokens, partials) : []),
  ]
}

/** Finds delimiters that appear on the page as text. */
function strayBraces(tokens: readonly Token[]): TemplateProblem[] {
  const html = new HtmlReader()
  return tokens.flatMap(({ kind, inside, line }) => {
    if (kind === 'output') html.pass()
    if (kind !== 'text') return []
    let done = 0
    let at = line
    const problems = [...inside.matchAll(/\{[{%]|[}%]\}/g)].flatMap(({ 0: brace, index }) => {
      const before = inside.slice(done, index)
      html.read(before)
      at += before.split('\n').length - 1
      done = index
      // Styles and scripts contain closing braces like these, but no opening ones.
      if (!brace.startsWith('{') && !html.isBetweenTags) return []
      return [
        {
          line: at,
          message: `${brace} appears on the page as text, because it has no matching ${OTHER[brace]}`,
        },
      ]
    })
    html.read(inside.slice(done))
    return problems
  })
}

const OTHER: Readonly<Record<string, string>> = { '{{': '}}', '{%': '%}', '}}': '{{', '%}': '{%' }

/**
 * Variables of every page in addition to its transaction, Liquid's own, and replacements of omitted
 * tags.
 */
const ALWAYS = new Set(
  'locale error endpoint now csp_nonce mondido default_true default_false forloop tablerowloop _'.split(
    ' ',
  ),
)

/** Tags that define a variable, which later parts of the template can use. */
const NAMES = /^(?:assign|capture|increment|decrement|for|tablerow)\s+(?<name>[\w-]+)/

function unknownVariables(
  kind: TemplateKind,
  uses: readonly VariableUse[],
  tokens: readonly Token[],
): TemplateProblem[] {
  const tags = tokens.filter((token) => token.kind === 'tag')
  const own = new Set(tags.flatMap(({ inside }) => NAMES.exec(inside)?.groups?.name ?? []))
  return uses.flatMap(({ line, paths }) =>
    paths.flatMap((path) => {
      const root = String(path[0])
      // A partial can use the variables of the page that includes it.
      if (
        own.has(root) ||
        ALWAYS.has(root) ||
        (kind === 'partial' && !Object.hasOwn(TEMPLATE_FIELDS, root))
      )
        return []
      const unknown = unknownIn(path, TEMPLATE_FIELDS)
      return unknown === undefined
        ? []
        : [{ line, message: `The variable ${unknown} does not exist, so it is empty` }]
    }),
  )
}

/** Returns the path up to the first name that does not exist. */
function unknownIn(path: VariableUse['paths'][number], fields: TemplateFields): string | undefined {
  let known: TemplateFields | null = fields
  for (const [index, name] of path.entries()) {
    // The name is computed or an item of a list, so the path beyond it is unknown.
    if (known === null || typeof name !== 'string') return undefined
    if (!Object.hasOwn(known, name)) return path.slice(0, index + 1).join('.')
    known = known[name] ?? null
  }
  return undefined
}

const PART = /^(?:include|render|layout)\s+(?:"(?<double>[^"]*)"|'(?<single>[^']*)')/

function missingParts(
  tokens: readonly Token[],
  partials: LintOptions['partials'],
): TemplateProblem[] {
  return tokens.flatMap(({ kind, inside, line }) => {
    const { double, single } = (kind === 'tag' && PART.exec(inside)?.groups) || {}
    const name = double ?? single
    return name === undefined || Object.hasOwn(partials, name)
      ? []
      : [{ line, message: noPart(name) }]
  })
}

/** Describes the problem of an included partial that does not exist. */
export const noPart = (name: string): string =>
  `The part "${name}" does not exist, so the page cannot be shown`

const FORM = /<form(?=[\s>])[^>]*/gi

function missingForm(
  source: string,
  tokens: readonly Token[],
  partials: LintOptions['partials'],
): TemplateProblem[] {
  const included = tokens.some(({ kind, inside }) => kind === 'tag' && PART.test(inside))
    ? Object.values(partials)
    : []
  const forms = [source, ...included].flatMap((text) => [...text.matchAll(FORM)])
  if (forms.some(([tag]) => posts(tag))) return []
  const [first] = source.matchAll(FORM)
  if (first === undefined)
    return [{ line: 1, message: 'The page has no form, so payers cannot pay on it' }]
  const line = source.slice(0, first.index).split('\n').length
  return [{ line, message: 'The form needs method="post" to send its fields' }]
}
