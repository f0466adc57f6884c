import { expect } from 'vitest'
import type { Row } from './rows.ts'
import type { World } from './world.ts'

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const fits =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value)

/** Types in the tables of the specification, by their names there. */
const TYPES = {
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  string: isText,
  decimal: fits(/^\d+\.\d{2}$/),
  datetime: fits(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
} as const satisfies Record<string, Check>

type TypeName = keyof typeof TYPES

/**
 * Field in a table of the specification: name, type, note, and its value in objects of the world, or
 * a test.
 */
export type FieldRow = readonly [
  name: string,
  type: TypeName | `${TypeName} or null` | `${TypeName} where it applies`,
  notes?: string,
  check?: Readonly<Partial<Record<keyof World, unknown>>> | ((world: World) => unknown),
]

/**
 * Returns rows for the fields of an object. Every sample has the field with its type; null only if
 * the type allows it. A field that does not apply to every sample has a value in the first.
 */
export function fieldRows(
  fields: readonly FieldRow[],
  samples: (world: World) => readonly object[],
): Row[] {
  return fields.map(([name, type, notes, check]) => ({
    says: [`${name} is ${type}`, ...(notes ? [notes] : [])].join(': '),
    async holds(world: World) {
      const values = samples(world).map((sample) => {
        expect(sample).toHaveProperty([name])
        return (sample as Record<string, unknown>)[name]
      })
      const [plain, nullable] = type.split(/ (.*)/) as [TypeName, ('or null' | 'where it applies')?]
      for (const value of values)
        if (value !== null || !nullable) expect(value).toSatisfy(TYPES[plain])
      if (nullable === 'where it applies') expect(values[0]).not.toBeNull()
      if (typeof check === 'function') await check(world)
      else
        for (const [sample, value] of Object.entries(check ?? {}))
          expect(world[sample as keyof World]).toHaveProperty([name], value)
    },
  }))
}
