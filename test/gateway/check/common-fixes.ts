import { NEVER, ONCE } from '../../../mock-gateway/check/cases/case.ts'
import { ASK, BOTH_WAYS, CATCH, REMEMBER, STAY_OPEN } from '../../../mock-gateway/check/causes.ts'

/** Fixes that several cases share, by their heading in docs/reference/check-cases.md. */
const HEADINGS: readonly (readonly [fix: string, heading: string])[] = [
  [REMEMBER, 'Fulfil once'],
  [ASK, 'Read the transaction'],
  [BOTH_WAYS, 'Use one function'],
  [STAY_OPEN, 'Keep the order open'],
  [CATCH, 'Catch errors'],
]

/** Sections of the shared fixes, as the document contains them. */
export const COMMON_FIXES: readonly string[] = HEADINGS.map(
  ([fix, heading]) => `### ${heading}\n\n${fix}\n`,
)

/** Replaces a shared fix with a link to its section. */
export const linkFix = (fix: string): string =>
  HEADINGS.reduce(
    (text, [shared, heading]) =>
      text.replace(shared, `[${heading}](#${heading.toLowerCase().replaceAll(' ', '-')}).`),
    fix,
  )

/** Replaces the two frequent results by the short forms that the document defines. */
export const shortenResult = (result: string): string =>
  result.replace(ONCE.says, 'Fulfilled once.').replace(NEVER.says, 'Not fulfilled.')
