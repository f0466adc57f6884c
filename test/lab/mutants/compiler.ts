import ts from 'typescript'
import { type Mutant, mutated } from './mutants.ts'
import { ROOT } from './sources.ts'

const configOf = (path: string) => `${ROOT}${path.startsWith('sdk/') ? 'sdk/' : ''}tsconfig.json`

/** Creates a function that returns true if the compiler rejects a mutant. */
export function compiler(): (mutant: Mutant) => boolean {
  let faulty: Mutant | undefined
  let version = 0
  const serviceOf = (config: string) => {
    const parsed = ts.getParsedCommandLineOfConfigFile(
      config,
      {},
      { ...ts.sys, onUnRecoverableConfigFileDiagnostic() {} },
    )
    if (!parsed) throw new Error(`${config} cannot be read`)
    const isFaulty = (file: string) => faulty !== undefined && file === ROOT + faulty.path
    return ts.createLanguageService({
      ...ts.sys,
      useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
      getCompilationSettings: () => parsed.options,
      getScriptFileNames: () => parsed.fileNames,
      getScriptVersion: (file) => (isFaulty(file) ? String(version) : '0'),
      getScriptSnapshot: (file) => {
        const source = ts.sys.readFile(file)
        if (source === undefined) return undefined
        return ts.ScriptSnapshot.fromString(
          faulty && isFaulty(file) ? mutated(source, faulty) : source,
        )
      },
      getCurrentDirectory: () => ROOT,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
    })
  }
  const services = new Map<string, ts.LanguageService>()
  return (mutant) => {
    faulty = mutant
    version += 1
    const config = configOf(mutant.path)
    const service = services.get(config) ?? serviceOf(config)
    services.set(config, service)
    return service.getSemanticDiagnostics(ROOT + mutant.path).length > 0
  }
}
