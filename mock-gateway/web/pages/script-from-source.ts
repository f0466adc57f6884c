import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, resolve } from 'node:path'

/** An import of values from another of our files; type imports are removed before. */
const IMPORT = /^import \{[^{}]*\} from '(\.[^'\n]*)';$/gm

/**
 * Bundles a TypeScript module and its imports into one script, for a gateway that runs from its
 * sources; the build does this for the package. All modules share one scope.
 */
export async function buildScriptFromSource(file: string): Promise<string> {
  const seen = new Set<string>()
  const modules: string[] = []
  const add = async (path: string): Promise<void> => {
    if (seen.has(path)) return
    seen.add(path)
    const code = quietly(await readFile(path, 'utf8'))
    for (const [, specifier = ''] of code.matchAll(IMPORT))
      await add(resolve(dirname(path), specifier))
    modules.push(code.replace(IMPORT, '').replace(/^export (?=const|function|async)/gm, ''))
  }
  await add(resolve(file))
  return `(() => {\n'use strict'\n${modules.join('\n')}\n})()\n`
}

/** Suppresses Node's warning that this feature may change. */
function quietly(source: string): string {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    // This mode also removes comments.
    return stripTypeScriptTypes(source, { mode: 'transform' })
  } finally {
    process.emitWarning = emitWarning
  }
}
