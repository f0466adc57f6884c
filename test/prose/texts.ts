import ts from 'typescript'
import { parseDocument, visit } from 'yaml'

/**
 * Returns the texts in a file that people read: all of a Markdown document, the descriptions and
 * summaries of an OpenAPI document, or the sentences of a source file.
 */
export function textsOf(path: string, source: string): string {
  if (path.endsWith('.ts')) return sentencesOf(source).join('\n\n')
  return path.endsWith('.yaml') ? descriptionsOf(source).join('\n\n') : source
}

function descriptionsOf(source: string): string[] {
  const texts: string[] = []
  visit(parseDocument(source), {
    Pair(_key, { key, value }) {
      const { value: name } = key as { value?: unknown }
      const { value: text } = (value ?? {}) as { value?: unknown }
      if ((name === 'description' || name === 'summary') && typeof text === 'string')
        texts.push(text)
    },
  })
  return texts
}

/**
 * Returns the strings and templates with a capital letter and several words. A tag ends a sentence.
 */
function sentencesOf(source: string): string[] {
  const texts: string[] = []
  const collect = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text)
    else if (ts.isTemplateExpression(node))
      texts.push(
        [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('x'),
      )
    ts.forEachChild(node, collect)
  }
  collect(ts.createSourceFile('', source, ts.ScriptTarget.Latest))
  return texts
    .flatMap((text) => text.split(/<(?!\/?(?:a|b|code|span)\b)[^>]*>/))
    .map((text) => text.trim())
    .filter((text) => /^[A-Z].* .* /s.test(text))
}
