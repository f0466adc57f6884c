import { makePrintable } from '../domain/characters.ts'
import { escapeHtml } from '../domain/escape-html.ts'
import type { CaseResult, CauseGroup, CheckReport } from './results.ts'

/** Fills the space of a verdict. */
const INDENT = ' '.repeat(13)

const indentLines = (lines: readonly (string | false | undefined)[]): string =>
  lines
    .filter(Boolean)
    .map((line) => `\n${INDENT}${line}`)
    .join('')

/** Formats the verdict of one case for a terminal. */
export const renderResult = ({ case: name, verdict, cause, seconds }: CaseResult): string =>
  makePrintable(`${verdict.padEnd(INDENT.length)}${name} (${seconds} s)${indentLines([cause])}`)

/**
 * Formats the failures for a terminal: for each cause the simplest case with its steps, and the
 * names of the others.
 * @param command the command of the check, without cases
 * @param fixes address of the document with the fixes
 */
export const renderCauses = (report: CheckReport, command: string, fixes: string): string =>
  makePrintable(
    report.causes
      .map((group) => {
        const [first, ...others] = findResults(report, group)
        const steps = first?.steps ?? []
        return `${describeGroup(group)}${indentLines([
          ...steps.map(({ says, shows }, at) => `${at + 1}. ${says}${shows ? ` → ${shows}` : ''}`),
          group.fix && `Fix: ${group.fix} ${fixes}`,
          first && `Repeat: ${repeatCommand(command, first)}`,
          others.length > 0 && `The same cause: ${others.map((result) => result.case).join(', ')}`,
        ])}`
      })
      .join('\n'),
  )

/** Describes a cause, such as "One cause, 44 cases. Begin with webhook-twice: …". */
export function describeGroup({ says, cases }: CauseGroup): string {
  const [first] = cases
  return cases.length === 1
    ? `One cause, case ${first}: ${says}`
    : `One cause, ${cases.length} cases. Begin with ${first}: ${says}`
}

/** Finds the results of the cases that failed together, the simplest case first. */
export const findResults = (
  { results }: Pick<CheckReport, 'results'>,
  { cases }: CauseGroup,
): readonly CaseResult[] =>
  cases.flatMap((name) => results.filter((result) => result.case === name))

/**
 * Returns the command that repeats a case in the same way.
 * @param command command that runs the check, without cases
 */
export const repeatCommand = (command: string, { id }: CaseResult): string =>
  `${command} --repeat ${id}`

export function renderSummary({ results, causes, ended, gateway }: CheckReport): string {
  const count = (verdict: CaseResult['verdict']) =>
    results.filter((result) => result.verdict === verdict).length
  const found =
    causes.length === 0 ? '' : `, ${causes.length} ${causes.length === 1 ? 'cause' : 'causes'}`
  const counts = `${count('passed')} passed, ${count('failed')} failed${found}, ${count('not checked')} not checked`
  return [ended && makePrintable(ended), gateway, counts].filter(Boolean).join('\n')
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

/** Leaves out control characters, which XML 1.0 forbids: a shop's answer may have them. */
const escapeXml = (text: string): string => escapeHtml(text.replaceAll(/[^\P{Cc}\t\n\r]/gu, ''))
