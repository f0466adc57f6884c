/**
 * `npm run lab -- expressions`: searches every regular expression of the library and the gateway for
 * texts that take more than linear time. The search is random, so two runs can differ. Expressions
 * that read only short texts, or texts of this repository, need no change. It needs recheck, which
 * is not installed with the other packages.
 */
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import type { Source } from '../gateway/structure/facts.ts'
import { sourcesLike } from '../helpers/sources.ts'

/** Regular expression in the sources. */
interface Expression {
  /** Source text of the literal, for example `/a+/g`. */
  readonly written: string
  readonly pattern: string
  readonly flags: string
}

/** Regular expressions of a source file: literals, and the code that creates others at run time. */
interface Expressions {
  readonly written: readonly Expression[]
  readonly made: readonly string[]
}

/**
 * Finds every regular expression of a source file by its syntax, so not in comments and strings.
 */
function expressionsOf({ path, text }: Source): Expressions {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const written: Expression[] = []
  const made: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      written.push({
        written: node.text,
        pattern: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
      })
    }
    if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText(file) === 'RegExp'
    )
      made.push(node.arguments?.[0]?.getText(file) ?? '')
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { written, made }
}

/** Limit of a check in milliseconds. The check of some expressions would not end. */
const LIMIT_MS = 60_000

/** The used part of recheck. */
interface Recheck {
  check(
    pattern: string,
    flags: string,
    limits: { readonly timeout: number },
  ): Promise<
    | {
        readonly status: 'vulnerable'
        readonly complexity: { readonly summary: string }
        readonly attack: { readonly pattern: string }
      }
    | { readonly status: 'safe' | 'unknown' }
  >
}

const { check } = await (import('recheck' as string) as Promise<Recheck>).catch(() => {
  process.stderr.write('Run this first: npm install --no-save recheck@4\n')
  process.exit(1)
})

let problems = 0
const seen = new Set<string>()
for (const path of sourcesLike('{sdk,mock-gateway}/**/*.{ts,js,cjs,mjs}')) {
  const { written, made } = expressionsOf({ path, text: readFileSync(path, 'utf8') })
  for (const code of made) process.stdout.write(`${path} creates RegExp(${code})\n`)
  for (const expression of written) {
    // Without repetition, each character is read a limited number of times.
    if (seen.has(expression.written) || !/[*+{]/.test(expression.pattern)) continue
    seen.add(expression.written)
    const found = await check(expression.pattern, expression.flags, { timeout: LIMIT_MS })
    if (found.status !== 'vulnerable') continue
    problems += 1
    const { complexity, attack } = found
    process.stdout.write(
      `${path}: ${expression.written} is ${complexity.summary}: ${attack.pattern}\n`,
    )
  }
}
process.stdout.write(`${seen.size} expressions, ${problems} problems\n`)
process.exit(problems === 0 ? 0 : 1)
