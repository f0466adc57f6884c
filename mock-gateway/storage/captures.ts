import { captureCodec, type NewCaptureRow } from './tables/captures.ts'
import type { Queries } from './tables/schema.ts'

export async function insertCapture(queries: Queries, row: NewCaptureRow): Promise<void> {
  await queries.insertInto('captures').values(captureCodec.encode(row)).execute()
}
