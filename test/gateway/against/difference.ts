import { STATUS_CODES } from 'node:http'
import type { Answered, Sent } from './build.ts'

/** Place at which two answers differ. */
export interface Difference {
  /** Kind of the difference: request and place, without ids and texts of the single answers. */
  readonly shape: string
  readonly one: string
  readonly other: string
}

/** Returns all places where two answers to one request differ; empty if all bytes are equal. */
export function differencesOf(sent: Sent, one: Answered, other: Answered): readonly Difference[] {
  const places: readonly Place[] =
    one.status === other.status
      ? [
          ...placesOf(one.headers, other.headers, 'header'),
          ...bodyPlaces(one.body, other.body),
          ...webhookPlaces(one.webhooks, other.webhooks),
        ]
      : [['status', summary(one), summary(other)]]
  return places.map(([place, left, right]) => {
    const [here, there] = [asText(left), asText(right)]
    const from = commonLength(here, there)
    return {
      shape: `${callOf(sent)}: ${place} ${word(left, from)} → ${word(right, from)}`,
      one: here,
      other: there,
    }
  })
}

type Place = readonly [where: string, one: unknown, other: unknown]

/**
 * Returns the call of a request without ids and query: `GET /v1/transactions/17?x` becomes `GET
 * /v1/transactions`.
 */
const callOf = ({ method, address }: Sent): string =>
  `${method} ${/^\/[^/?#]*(?:\/[^/?#]*)?/.exec(address)?.[0]}`

/** Returns a status in words, because shapes contain no numbers. */
const words = (status: number) => STATUS_CODES[status] ?? 'unknown'

const summary = ({ status, body }: Answered): string => {
  const { name } = (read(body) ?? {}) as { readonly name?: unknown }
  return typeof name === 'string' ? name : words(status)
}

/** Returns the start of the differing text, unless it is a number. */
const word = (value: unknown, from: number): string => {
  if (value === undefined) return 'nothing'
  if (typeof value !== 'string')
    return Array.isArray(value) ? 'a list' : isObject(value) ? 'an object' : String(value)
  return value
    .slice(Math.max(0, from - BEFORE))
    .slice(0, WORD)
    .replace(/\d+/g, '#')
}

/**
 * Number of characters that describe a difference, and how many of them are equal ones before it.
 */
const WORD = 50
const BEFORE = 20

function commonLength(one: string, other: string): number {
  const at = [...one].findIndex((character, index) => character !== other[index])
  return at < 0 ? one.length : at
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function bodyPlaces(one: string, other: string): readonly Place[] {
  if (one === other) return []
  const [left, right] = [read(one), read(other)]
  if (left === undefined || right === undefined) return [['text', ...linesOf(one, other)]]
  const places = placesOf(left, right, '')
  // Equal JSON can have different bytes: another order, or other escapes.
  return places.length > 0 ? places : [['bytes', one, other]]
}

function webhookPlaces(one: readonly string[], other: readonly string[]): readonly Place[] {
  if (one.length !== other.length) return [['number of webhooks', one.length, other.length]]
  return one.flatMap((text, index) => {
    const [left, right] = [parts(text), parts(other[index] ?? '')]
    return left.flatMap((part, at) =>
      bodyPlaces(part, right[at] ?? '').map(
        ([where, ...values]): Place => [`webhook ${where}`, ...values],
      ),
    )
  })
}

const parts = (webhook: string) => webhook.split('\n')

/** Returns the first line that differs, from both texts. */
function linesOf(one: string, other: string): readonly [string, string] {
  const [left, right] = [one.split('\n'), other.split('\n')]
  const at = left.findIndex((line, index) => line !== right[index])
  return [left[at] ?? '', right[at] ?? '']
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Returns the deepest places at which two JSON values differ, without indexes of lists. */
function placesOf(one: unknown, other: unknown, where: string): readonly Place[] {
  if (Object.is(one, other)) return []
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other))
    return [[where, one, other]]
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  const step = (name: string) => (Array.isArray(one) ? `${where}[]` : `${where}.${name}`)
  return names.flatMap((name) => placesOf(one[name], other[name], step(name)))
}
