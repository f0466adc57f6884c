import type { Insertable, Selectable } from 'kysely'
import type { LogEvent } from '../../contract/wire.ts'
import { key, moment, reference, repeatedJson, type TableOf, text } from './columns.ts'

export const logEventColumns = {
  id: key(),
  transaction_id: reference('transactions'),
  event_type: text<LogEvent['event_type']>(),
  data: repeatedJson<LogEvent['data']>(),
  created_at: moment(),
}

type LogEventTable = TableOf<typeof logEventColumns>

export type LogEventRow = Selectable<LogEventTable>
export type NewLogEventRow = Omit<Insertable<LogEventTable>, 'id'>
