import { type RequestRow, readContents } from '../storage/tables/requests.ts'

/** Conditions of a search in the request log. */
export interface RequestQuery {
  /** For example /v1/transactions/:id. */
  readonly route: string
  readonly method: string | undefined
  /** Required values of fields. */
  readonly where: Readonly<Record<string, unknown>>
}

/** The newest matching request, or a sentence about the closest one. */
export type FoundRequest =
  | { readonly row: RequestRow; readonly message: null }
  | { readonly row: null; readonly message: string }

/**
 * Finds the newest request to a route with these values. Numbers and flags are compared as text, as
 * in forms.
 * @param rows the newest first
 */
export function findSentRequest(
  rows: readonly RequestRow[],
  { route, method, where }: RequestQuery,
): FoundRequest {
  const name = [method, route].filter(Boolean).join(' ')
  const ofRoute = rows.filter(
    (row) => row.route === route && (method === undefined || row.method === method),
  )
  const compared = ofRoute.map((row) => ({
    row,
    differences: listDifferences(readContents(row).sent ?? {}, where),
  }))
  const [nearest] = compared.toSorted(
    (one, other) => one.differences.length - other.differences.length,
  )
  if (!nearest) {
    const others = [...new Set(rows.map((row) => `${row.method} ${row.route}`))].slice(0, 5)
    const arrived =
      others.length > 0 ? `Requests that arrived: ${others.join(', ')}.` : 'No request arrived.'
    return { row: null, message: `No request ${name} arrived. ${arrived}` }
  }
  if (nearest.differences.length === 0) return { row: nearest.row, message: null }
  const wanted = nearest.differences.map(({ name: field, wanted: value }) => `${field} ${value}`)
  const sent = nearest.differences.map(
    ({ name: field, sent: value }) => `${field} ${value ?? 'missing'}`,
  )
  return {
    row: null,
    message: `No request ${name} has ${wanted.join(', ')}. The nearest, ${nearest.row.request_id}, has ${sent.join(', ')}.`,
  }
}

interface Difference {
  readonly name: string
  readonly wanted: string
  readonly sent: string | undefined
}

const listDifferences = (
  sent: Readonly<Record<string, unknown>>,
  where: RequestQuery['where'],
): Difference[] =>
  Object.entries(where).flatMap(([name, value]) => {
    const difference = {
      name,
      wanted: formatValue(value),
      sent: Object.hasOwn(sent, name) ? formatValue(sent[name]) : undefined,
    }
    return difference.sent === difference.wanted ? [] : [difference]
  })

/** Formats a value for a sentence; `12` and `"12"` are equal. */
const formatValue = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(value)
    : JSON.stringify(String(value))
