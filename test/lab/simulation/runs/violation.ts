/** Violation of a rule. */
export class Violation extends Error {
  override readonly name = 'Violation'
  /** Name of the broken rule. Shrinking keeps only runs that break the same rule. */
  readonly rule: string
  constructor(rule: string, message: string) {
    super(message)
    this.rule = rule
  }
}
