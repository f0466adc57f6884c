import ts from 'typescript'

/** Source file of the project. */
export interface Source {
  /** Path from the project's root, with `/`. */
  readonly path: string
  readonly text: string
}

/** Module that a file names in `import`, `export .. from`, `import()` or a type's `import()`. */
export interface Import {
  readonly specifier: string
  /** True if the import exists only for types. */
  readonly typeOnly: boolean
  /** Imported names. Empty if the whole module is imported. */
  readonly names: readonly string[]
}

/** Facts about a file that the rules for modules check. */
export interface Facts {
  readonly imports: readonly Import[]
  /**
   * Members and calls that rules mention, as written: `process.env`, `Date.now`, `new Date()`,
   * `app.listen`. `now()` stands for a call of any clock, and `query()` for the start of any query.
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

/** Names of methods that start a query. */
const QUERIES = new Set(['selectFrom', 'insertInto', 'updateTable', 'deleteFrom'])

/**
 * Names of members that read a clock: a single clock, all clocks at the same time, and the
 * machine's clock.
 */
const CLOCK_READS = ['now', 'moment', 'machine']

/**
 * Returns true for a call of `clock.now()`, or of a function that was taken from a clock.
 * `performance.now()` is not included, because it measures durations.
 */
const isClockRead = (called: ts.Expression, file: ts.SourceFile): boolean =>
  ts.isPropertyAccessExpression(called)
    ? CLOCK_READS.includes(called.name.text) && called.expression.getText(file) !== 'performance'
    : ts.isIdentifier(called) && called.text === 'now'

/** Reads the imports and uses of one file from its syntax, so not from comments and strings. */
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
