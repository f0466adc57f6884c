import type { CaseResult } from './run.ts'

/** One case for a terminal. @param repeat the command that repeats a case, without its name */
export function lineOf({ case: name, verdict, cause, fix, seconds }: CaseResult, repeat: string): string {
  const head = `${verdict.padEnd(11)}  ${name} (${seconds} s)`
  const more = [cause, fix && `Fix: ${fix}`, verdict === 'failed' && `Repeat: ${repeat} --only ${name}`]
  return [head, ...more.filter((line) => line).map((line) => `             ${line}`)].join('\n')
}

export function summaryOf(results: readonly CaseResult[]): string {
  const count = (verdict: CaseResult['verdict']) => results.filter((result) => result.verdict === verdict).length
  return `${count('passed')} passed, ${count('failed')} failed, ${count('not checked')} not checked`
}

/** Results as JUnit. */
export function junitOf(results: readonly CaseResult[]): string {
  const failed = results.filter(({ verdict }) => verdict === 'failed').length
  const skipped = results.filter(({ verdict }) => verdict === 'not checked').length
  const cases = results.map(({ case: name, verdict, cause = '', fix = '', seconds }) => {
    const open = `  <testcase classname="mondido-gateway check" name="${escapeXml(name)}" time="${seconds}"`
    if (verdict === 'passed') return `${open}/>`
    const inner =
      verdict === 'failed'
        ? `<failure message="${escapeXml(cause)}">${escapeXml(fix)}</failure>`
        : `<skipped message="${escapeXml(cause)}"/>`
    return `${open}>${inner}</testcase>`
  })
  const suite = `<testsuite name="Check my shop" tests="${results.length}" failures="${failed}" skipped="${skipped}">`
  return ['<?xml version="1.0" encoding="UTF-8"?>', suite, ...cases, '</testsuite>', ''].join('\n')
}

const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' }

const escapeXml = (text: string): string => text.replaceAll(/[<>&"]/g, (character) => ESCAPES[character] ?? '')
