import { parseDocument, visit } from 'yaml'

/**
 * The texts that people read in a document: Markdown as it is, the descriptions and summaries of an
 * OpenAPI document.
 */
export function textsOf(path: string, source: string): string {
  if (!path.endsWith('.yaml')) return source
  const texts: string[] = []
  visit(parseDocument(source), {
    Pair(_key, { key, value }) {
      const { value: name } = key as { value?: unknown }
      const { value: text } = (value ?? {}) as { value?: unknown }
      if ((name === 'description' || name === 'summary') && typeof text === 'string')
        texts.push(text)
    },
  })
  return texts.join('\n\n')
}
