/** Lines in which common languages and frameworks report an error. */
const REPORTS = [
  /^.*\b(?:Uncaught|Fatal error|Traceback|panic:|Unhandled)\b.*$/im,
  /^.*\b\w*(?:Error|Exception)\b.*$/m,
] as const

/** Maximum characters of a quoted error. */
const QUOTED = 300

/**
 * Finds the shop's own error in the body of its answer, such as the first line of a stack trace.
 * @returns the part of the body as it is, without tags of HTML; undefined if there is none
 */
export function findShopError(body: string): string | undefined {
  for (const report of REPORTS) {
    const [line] = report.exec(body.replace(/<[^>]*>/g, '\n')) ?? []
    const text = line?.trim().slice(0, QUOTED)
    // A heading such as "Fatal error" alone says nothing: the next line does.
    if (text !== undefined && text.length > 24) return text
  }
  return undefined
}
