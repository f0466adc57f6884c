/** One error of the specification: number, name, HTTP status, and its text in both languages. */
export interface CatalogueRow {
  readonly code: number
  /** Dotted identifier, begins with `errors.`. */
  readonly name: string
  /**
   * HTTP status (our decision, the specification is silent): 401 for failed authentication, 403 for
   * a locked account, 404 if the addressed object does not exist, 400 for all others.
   */
  readonly http: 400 | 401 | 403 | 404
  /** English description. */
  readonly en: string
  /** Swedish description. */
  readonly sv: string
}
