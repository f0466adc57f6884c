/** A problem of a template, for its merchant. */
export interface TemplateProblem {
  /** Null where it is about no line. */
  readonly line: number | null
  readonly message: string
}

/** A template that was not rendered, and why. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  /** The message without its line. */
  readonly reason: string
  readonly line: number | null

  constructor(reason: string, line: number | null = null, options?: ErrorOptions) {
    super(line === null ? reason : `Line ${line}: ${reason}`, options)
    this.reason = reason
    this.line = line
  }
}
