/**
 * One error of the specification: number, name, the status it answers with, and its text in both
 * languages.
 */
export interface CatalogueRow {
  readonly code: number
  /** Dotted identifier, begins with `errors.`. */
  readonly name: string
  /**
   * HTTP status (our decision, the specification is silent): 401 for failed authentication, 403 for
   * a locked account, 404 when the thing that an address points at does not exist, 400 for all
   * else.
   */
  readonly http: 400 | 401 | 403 | 404
  /** English description. */
  readonly en: string
  /** Swedish description. */
  readonly sv: string
}
