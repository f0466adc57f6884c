import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, resolve } from 'node:path'

/** A line that imports values from another file of ours; what was types only is gone by then. */
const IMPORT = /^import \{[^{}]*\} from '(\.[^'\n]*)'$/gm

/**
 * Makes one script of a TypeScript module and all that it imports, each once, with what it needs
 * before it: what the build does for the package, for a gateway that runs from its sources. Names
 * of the modules stand side by side.
 */
export async function scriptFromSource(file: string): Promise<string> {
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

/** Node warns that this may change; whoever runs from the sources has the Node of the package. */
function quietly(source: string): string {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}
