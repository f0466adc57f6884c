import type { Queries } from '../storage/tables/schema.ts'
import type { PresentationContext } from './transaction.ts'

/** Context of serializers that load related objects. */
export interface ViewContext extends PresentationContext {
  readonly queries: Queries
  /** Names of the related objects to show in full (specification: What the service does). */
  readonly extend: ReadonlySet<string>
}
