import type { Insertable, Selectable } from 'kysely'
import type { LogEvent } from '../../contract/wire.ts'
import { type Id, REPEATED_JSON, tableCodec } from './codec.ts'

export interface LogEventTable {
  id: Id
  transaction_id: number
  event_type: LogEvent['event_type']
  data: LogEvent['data']
  created_at: number
}

export type LogEventRow = Selectable<LogEventTable>
export type NewLogEventRow = Omit<Insertable<LogEventTable>, 'id'>

export const logEventCodec = tableCodec<LogEventTable>({ data: REPEATED_JSON })
