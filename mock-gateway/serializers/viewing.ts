import type { Queries } from '../storage/tables/schema.ts'
import type { PresentationContext } from './transaction.ts'

/** Who looks at rows, and how: in which language, and with what of the related objects in full. */
export interface ViewContext extends PresentationContext {
  readonly queries: Queries
  /** Names of the related objects that are shown in full (specification: What the service does). */
  readonly extend: ReadonlySet<string>
}
