import ts from 'typescript'

/** What one source file reads out of parameters. */
export interface ReadNames {
  /** Names written out where they are read. */
  readonly names: ReadonlySet<string>
  /** Reads whose name is in a variable, as written: `text(sent, field)`. */
  readonly variable: readonly string[]
}

/** The functions of domain/parameters.ts that read one name. */
const READERS: ReadonlySet<string> = new Set(['text', 'flag', 'integer', 'object', 'list'])

/** Names of the things that parameters are kept in. */
const HOLDERS: ReadonlySet<string> = new Set(['parameters'])

/** Finds in a file's syntax the names of the parameters that it reads, by reader, member or destructuring. */
export function readNamesOf(path: string, source: string): ReadNames {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)
  const readers = importedReaders(file)
  const names = new Set<string>()
  const variable: string[] = []
  const note = (name: ts.Expression | undefined, whole: ts.Node) => {
    const written = name && writtenOut(name)
    if (written) for (const each of written) names.add(each)
    else variable.push(whole.getText(file))
  }
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && readers.has(node.expression.text))
      note(node.arguments[1], node)
    if (ts.isPropertyAccessExpression(node) && HOLDERS.has(node.expression.getText(file)) && !isCalled(node))
      names.add(node.name.text)
    if (ts.isElementAccessExpression(node) && HOLDERS.has(node.expression.getText(file)))
      note(node.argumentExpression, node)
    if (isTakenApart(node, file)) for (const name of destructured(node.name)) names.add(name)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { names, variable }
}

/** The readers that the file takes from domain/parameters.ts; a function of its own may have the same name. */
function importedReaders(file: ts.SourceFile): ReadonlySet<string> {
  const names = file.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !statement.moduleSpecifier.getText(file).includes('parameters.ts'))
      return []
    const bindings = statement.importClause?.namedBindings
    return bindings && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : []
  })
  return new Set(names.filter((name) => READERS.has(name)))
}

const writtenOut = (name: ts.Expression): readonly string[] | undefined =>
  ts.isStringLiteralLike(name) ? [name.text] : undefined

/** `parameters.get(..)` is a method of a map that happens to be called so. */
const isCalled = (node: ts.Node): boolean => ts.isCallExpression(node.parent) && node.parent.expression === node

/** `const { locale } = parameters`, or a function's `({ locale }: Parameters)`. */
const isTakenApart = (node: ts.Node, file: ts.SourceFile): node is ts.VariableDeclaration | ts.ParameterDeclaration =>
  (ts.isVariableDeclaration(node) && HOLDERS.has(node.initializer?.getText(file) ?? '')) ||
  (ts.isParameter(node) && node.type?.getText(file) === 'Parameters')

const destructured = (name: ts.BindingName): readonly string[] =>
  ts.isObjectBindingPattern(name)
    ? name.elements.map((element) => (element.propertyName ?? element.name).getText())
    : []
