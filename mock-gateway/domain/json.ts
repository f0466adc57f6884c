/** A list of JSON values. */
export type JsonList = readonly JsonValue[]

/** Named JSON values. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** What JSON can say: what parameters, metadata and columns of free form hold. */
export type JsonValue = string | number | boolean | null | JsonList | JsonObject

/** Tells an object from every other value, lists included. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
