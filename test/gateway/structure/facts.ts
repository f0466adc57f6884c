import ts from 'typescript'

/** Source file of the project. */
export interface Source {
  /** From the project's root, with `/`. */
  readonly path: string
  readonly text: string
}

/** Module that a file names in `import`, `export .. from`, `import()` or a type's `import()`. */
export interface Import {
  readonly specifier: string
  /** True if the import exists only for types. */
  readonly typeOnly: boolean
  /** The names taken from it; empty for a whole module. */
  readonly names: readonly string[]
}

/** The facts that rules about modules check. */
export interface Facts {
  readonly imports: readonly Import[]
  /**
   * Members and calls of interest, as written: `process.env`, `Date.now`, `new Date()`,
   * `app.listen`; `now()` for a call of any clock's, `query()` for the beginning of any query.
   */
  readonly uses: ReadonlySet<string>
}

const isString = (node: ts.Node | undefined): node is ts.StringLiteral =>
  !!node && ts.isStringLiteral(node)

function importOf(node: ts.Node): Import | undefined {
  if (ts.isImportDeclaration(node) && isString(node.moduleSpecifier)) {
    const clause = node.importClause
    const bindings = clause?.namedBindings
    const named = bindings && ts.isNamedImports(bindings) ? bindings.elements : []
    const whole =
      !clause || clause.name || (bindings && ts.isNamespaceImport(bindings)) || named.length === 0
    const typeOnly =
      clause?.phaseModifier === ts.SyntaxKind.TypeKeyword ||
      (!whole && named.every((n) => n.isTypeOnly))
    return {
      specifier: node.moduleSpecifier.text,
      typeOnly,
      names: named.map((n) => (n.propertyName ?? n.name).text),
    }
  }
  if (ts.isExportDeclaration(node) && isString(node.moduleSpecifier))
    return { specifier: node.moduleSpecifier.text, typeOnly: node.isTypeOnly, names: [] }
  if (
    ts.isCallExpression(node) &&
    node.expression.kind === ts.SyntaxKind.ImportKeyword &&
    isString(node.arguments[0])
  )
    return { specifier: node.arguments[0].text, typeOnly: false, names: [] }
  if (
    ts.isImportTypeNode(node) &&
    ts.isLiteralTypeNode(node.argument) &&
    isString(node.argument.literal)
  )
    return { specifier: node.argument.literal.text, typeOnly: true, names: [] }
  return undefined
}

function useOf(node: ts.Node, file: ts.SourceFile): string | undefined {
  if (ts.isCallExpression(node) && isClockRead(node.expression, file)) return 'now()'
  if (ts.isPropertyAccessExpression(node) && QUERIES.has(node.name.text)) return 'query()'
  if (ts.isPropertyAccessExpression(node)) return node.getText(file).replace(/^globalThis\./, '')
  if (
    ts.isNewExpression(node) &&
    node.expression.getText(file) === 'Date' &&
    !node.arguments?.length
  )
    return 'new Date()'
  return undefined
}

/** Methods that start a query. */
const QUERIES = new Set(['selectFrom', 'insertInto', 'updateTable', 'deleteFrom'])

/** Names of members that read a clock: one, all at the same time, the machine's. */
const CLOCK_READS = ['now', 'moment', 'machine']

/**
 * `clock.now()` or a function that was taken from one; `performance.now()` measures how long, not
 * when.
 */
const isClockRead = (called: ts.Expression, file: ts.SourceFile): boolean =>
  ts.isPropertyAccessExpression(called)
    ? CLOCK_READS.includes(called.name.text) && called.expression.getText(file) !== 'performance'
    : ts.isIdentifier(called) && called.text === 'now'

/** Reads the imports and uses of one file from its syntax; comments and strings do not count. */
export function factsOf({ path, text }: Source): Facts {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const imports: Import[] = []
  const uses = new Set<string>()
  const visit = (node: ts.Node): void => {
    const found = importOf(node)
    if (found) imports.push(found)
    const use = useOf(node, file)
    if (use) uses.add(use)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { imports, uses }
}
