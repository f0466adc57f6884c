/**
 * `node check-types.ts <types> <folder> ...`: checks the files of folders and their use of the
 * types in the folder `types`, like `tsc` with the options in the folder's `options.json`. It does
 * not check the types of other packages, which would take three times as long. Prints TypeScript's
 * errors.
 */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'

const declarations = new Map<string, ts.SourceFile | undefined>()

/**
 * Creates a compiler host that reads the declarations of browsers and Node only once for all
 * folders, because this is most of the work.
 */
function hostOf(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options)
  const getSourceFile: ts.CompilerHost['getSourceFile'] = (name, how, ...rest) => {
    if (!/\.d\.[cm]?ts$/.test(name)) return host.getSourceFile(name, how, ...rest)
    const key = `${typeof how === 'object' && how.impliedNodeFormat} ${name}`
    if (!declarations.has(key)) declarations.set(key, host.getSourceFile(name, how, ...rest))
    return declarations.get(key)
  }
  return { ...host, getSourceFile }
}

const [types = '', ...folders] = process.argv.slice(2)

for (const folder of folders) {
  const read = JSON.parse(readFileSync(join(folder, 'options.json'), 'utf8'))
  const { options, errors } = ts.convertCompilerOptionsFromJson(read, process.cwd())
  const program = ts.createProgram(globSync(join(folder, '*.*ts')), options, hostOf(options))
  const own = [resolve(folder), resolve(types)].map((path) => `${path}/`)
  const files = program
    .getSourceFiles()
    .filter(({ fileName }) => own.some((path) => resolve(fileName).startsWith(path)))
  const problems = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...files.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ]
  const host = {
    getCanonicalFileName: String,
    getCurrentDirectory: () => process.cwd(),
    getNewLine: () => '\n',
  }
  process.stdout.write(ts.formatDiagnostics(problems, host))
}
