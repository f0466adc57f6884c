/** Something that must never be. */
export class Violation extends Error {
  override readonly name = 'Violation'
  /** Name of the rule that is broken: shrinking looks for the same one. */
  readonly rule: string
  constructor(rule: string, message: string) {
    super(message)
    this.rule = rule
  }
}
