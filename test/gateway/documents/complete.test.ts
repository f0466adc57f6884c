import { describe, expect, test } from 'vitest'
import { HELP } from '../../../mock-gateway/cli/banner.ts'
import { merchantSettings } from '../../../mock-gateway/domain/merchant.ts'
import { read } from '../../helpers/documents.ts'

/** Names of what an interface has. @throws Error when the file has none of that name */
function membersOf(file: string, name: string): string[] {
  const [, body] = new RegExp(`^export interface ${name} {\n(.*?)^}`, 'ms').exec(read(file)) ?? []
  if (body === undefined) throw new Error(`${file} has no interface ${name}`)
  return [...body.matchAll(/^ {2}(?:readonly )?'?([\w:]+)'?\??[:(<]/gm)].map(([, member = '']) => member)
}

/** Of the names those that stand nowhere between the backticks of a document. */
function missingIn(document: string, names: readonly string[]): string[] {
  const spans = [...read(document).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)
  const isIn = (name: string, span: string) => new RegExp(`(?<![\\w-])${name}(?![\\w:-])`).test(span)
  return names.filter((name) => !spans.some((span) => isIn(name, span)))
}

describe('docs/library.md names', () => {
  for (const [what, name] of [
    ['every option', 'MondidoOptions'],
    ['every waiting time', 'Timeouts'],
    ['every event', 'MondidoEvents'],
    ['every field of an error', 'MondidoError'],
    ['everything a controller can do', 'MondidoController'],
    ['everything of $.mondido', 'MondidoStatic'],
  ] as const)
    test(what, () => {
      const names = membersOf('sdk/types.ts', name)
      expect(names.length).toBeGreaterThan(5)
      expect(missingIn('docs/library.md', names)).toEqual([])
    })
})

describe('docs/gateway.md names', () => {
  test('every flag and variable of --help', () => {
    const names = HELP.replace('JSON', '').match(/--[a-z-]+|\b[A-Z_]{3,}\b/g) ?? []
    expect(names).toContain('LOG_LEVEL')
    expect(missingIn('docs/gateway.md', names)).toEqual([])
  })

  test('every setting of a merchant', () => {
    expect(missingIn('docs/gateway.md', Object.keys(merchantSettings.shape))).toEqual([])
  })

  test('every option of createGateway', () => {
    expect(missingIn('docs/gateway.md', membersOf('mock-gateway/gateway.ts', 'GatewayOptions'))).toEqual([])
  })
})
