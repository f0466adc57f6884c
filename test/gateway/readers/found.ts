import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** Exported function of the sources that accepts a text. */
export interface Reader {
  /** File and name of the function without its folder, for example `money#parseAmount`. */
  readonly name: string
  readonly path: string
  readonly exported: string
  readonly parameters: readonly Parameter[]
}

/**
 * Parameter of a function: its type as TypeScript writes it, or the first of the words that it
 * allows.
 */
interface Parameter {
  readonly type: string
  readonly word: string | undefined
}

/** Pattern of the types that contain a text: texts, bytes, and parts of a request. */
const TEXT = /^(?:readonly )?(?:string|Buffer|Uint8Array|JsonObject|JsonValue|unknown)\b/

const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Returns every exported function of the gateway that accepts a text, except in modules whose texts
 * come only from the operator. The library is not included, because a slow text there affects only
 * its own page.
 */
export function readers(): readonly Reader[] {
  const paths = globSync('mock-gateway/*/**/*.ts', {
    cwd: root,
    exclude: (path) =>
      /^mock-gateway[\\/](?:check|cli|client|dist|gateway|storage|testing)\b/.test(path),
  })
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  const program = ts.createProgram(
    paths.map((path) => root + path),
    options,
  )
  const checker = program.getTypeChecker()
  return paths.flatMap((path) => {
    const file = program.getSourceFile(root + path)
    const module = file && checker.getSymbolAtLocation(file)
    if (!module) return []
    return checker.getExportsOfModule(module).flatMap((symbol): Reader[] => {
      const [signature] = checker.getTypeOfSymbolAtLocation(symbol, file).getCallSignatures()
      const parameters = (signature?.parameters ?? [])
        .filter(({ valueDeclaration }) => !isOptional(valueDeclaration))
        .map((parameter) =>
          parameterOf(checker, checker.getTypeOfSymbolAtLocation(parameter, file)),
        )
      if (!parameters.some(({ type }) => TEXT.test(type)) || isView(checker, signature)) return []
      return [
        {
          name: `${basename(path, '.ts')}#${symbol.name}`,
          path: root + path,
          exported: symbol.name,
          parameters,
        },
      ]
    })
  })
}

/**
 * Returns true for a view. A view only inserts texts into its template, which `html.test.ts` tests.
 */
const isView = (checker: ts.TypeChecker, signature: ts.Signature | undefined): boolean =>
  signature !== undefined && /^SafeHtml\b/.test(checker.typeToString(signature.getReturnType()))

const isOptional = (declaration: ts.Declaration | undefined): boolean =>
  declaration !== undefined &&
  ts.isParameter(declaration) &&
  !!(declaration.questionToken ?? declaration.initializer)

function parameterOf(checker: ts.TypeChecker, type: ts.Type): Parameter {
  const words = type.isUnion()
    ? type.types.map((each) => (each.isStringLiteral() ? each.value : undefined))
    : []
  return {
    type: checker.typeToString(type),
    word: words.includes(undefined) ? undefined : words[0],
  }
}
