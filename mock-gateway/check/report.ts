import { printable } from '../domain/characters.ts'
import type { CaseResult, CheckReport } from './run.ts'

/** Fills the space of a verdict. */
const INDENT = ' '.repeat(13)

/**
 * Formats one case for a terminal.
 * @param command the command of the check, without cases
 * @param fixes address of the document with the fixes
 */
export function renderResult(result: CaseResult, command: string, fixes: string): string {
  const { case: name, verdict, cause, fix, steps = [], seconds } = result
  const more = [
    cause,
    ...steps.map(({ says, shows }, at) => `${at + 1}. ${says}${shows ? ` → ${shows}` : ''}`),
    fix && `Fix: ${fix} ${fixes}`,
    verdict === 'failed' && `Repeat: ${repeatCommand(command, result)}`,
  ]
  const head = `${verdict.padEnd(INDENT.length)}${name} (${seconds} s)`
  return printable([head, ...more.filter((line) => line).map((line) => INDENT + line)].join('\n'))
}

/**
 * Returns the command that repeats a case in the same way.
 * @param command command that runs the check, without cases
 */
export const repeatCommand = (command: string, { id }: CaseResult): string =>
  `${command} --repeat ${id}`

export function renderSummary({ results, ended }: CheckReport): string {
  const count = (verdict: CaseResult['verdict']) =>
    results.filter((result) => result.verdict === verdict).length
  const counts = `${count('passed')} passed, ${count('failed')} failed, ${count('not checked')} not checked`
  return ended === undefined ? counts : `${printable(ended)}\n${counts}`
}

/** Results as JUnit. */
export function renderJunit(results: readonly CaseResult[]): string {
  const failed = results.filter(({ verdict }) => verdict === 'failed').length
  const skipped = results.filter(({ verdict }) => verdict === 'not checked').length
  const cases = results.map(
    ({ case: name, verdict, cause = '', fix = '', steps = [], seconds }) => {
      const open = `  <testcase classname="mondido-gateway check" name="${escapeXml(name)}" time="${seconds}"`
      if (verdict === 'passed') return `${open}/>`
      const story = [...steps.map(({ says, shows = '' }) => `${says} ${shows}`), fix].join('\n')
      const inner =
        verdict === 'failed'
          ? `<failure message="${escapeXml(cause)}">${escapeXml(story)}</failure>`
          : `<skipped message="${escapeXml(cause)}"/>`
      return `${open}>${inner}</testcase>`
    },
  )
  const suite = `<testsuite name="Check my shop" tests="${results.length}" failures="${failed}" skipped="${skipped}">`
  return ['<?xml version="1.0" encoding="UTF-8"?>', suite, ...cases, '</testsuite>', ''].join('\n')
}

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
}

/** Leaves out control characters, which XML 1.0 forbids: a shop's answer may have them. */
const escapeXml = (text: string): string =>
  text
    .replaceAll(/[^\P{Cc}\t\n\r]/gu, '')
    .replaceAll(/[<>&"]/g, (character) => ESCAPES[character] ?? '')
