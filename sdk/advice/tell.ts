import type { Snapshot } from '../form/snapshot.ts'
import { log } from '../log.ts'
import type { Settings } from '../settings/options.ts'
import type { AdviceCode } from '../shared/advice-texts.ts'

/** Facts of an explanation by name. They never contain a value that a payer typed. */
export type Facts = Readonly<Record<string, unknown>>

/** Texts for developers, which are loaded only if a developer reads the console. */
export interface AdviceModule {
  /** Describes the problem and its fix. */
  describe(code: AdviceCode, facts: Facts): string
  /** Finds usual mistakes of the page. */
  examine(
    form: HTMLFormElement,
    settings: Settings,
    snapshot: Snapshot,
  ): readonly (readonly [AdviceCode, Facts])[]
}

/** Address of the documents, which is in the package while no gateway is known. */
let documents = 'mondido-js/docs/reference/library-messages.md'
let load = (): Promise<AdviceModule> => Promise.reject()
let loading: Promise<AdviceModule> | undefined
let advice: AdviceModule | undefined
let isRead: boolean | undefined

/**
 * Sets the source of the advice for developers. Until a form decides, it is unknown whether a
 * developer reads the console.
 * @param ready the module, if it is already loaded
 */
export function setAdviceSource(how: typeof load, ready?: AdviceModule): void {
  load = how
  loading = undefined
  advice = ready
  isRead = undefined
}

/** Sets the gateway whose documents are linked. */
export function linkDocumentsAt(origin: string): void {
  documents = `${origin}/docs`
}

/** Returns true if the page is on the integrator's own computer. */
export const isLoopback = (): boolean => /(^|\.)localhost$|^127\.|^\[::1\]$/.test(location.hostname)

/** Sets whether a developer reads the console. Otherwise messages are codes. */
export function readAlong(isWanted: boolean): void {
  isRead = isWanted
  if (isWanted) withAdvice(() => undefined)
}

/** Returns true if a developer reads the console; until a form decides, on localhost. */
export const isReadAlong = (): boolean => isRead ?? isLoopback()

/**
 * Runs a function with the advice, immediately if it is loaded.
 * @param otherwise runs if it cannot be loaded
 */
export function withAdvice(
  run: (advice: AdviceModule) => void,
  otherwise = (): void => undefined,
): void {
  if (advice) run(advice)
  else {
    loading ??= load().then((loaded) => {
      advice = loaded
      return loaded
    })
    loading.then(run).catch(otherwise)
  }
}

/** Code with its facts, and the address of its explanation. */
export const formatShort = (code: string, facts?: Facts, anchor = `library-${code}`): string =>
  `${code} ${facts ? `${JSON.stringify(facts)} ` : ''}${documents}#${anchor}`

/**
 * Reports a problem on the console: with its explanation if a developer reads it, otherwise as a
 * code.
 * @param anchor place of its explanation in the documents
 */
export function tell(
  level: 'warn' | 'error',
  code: AdviceCode,
  facts?: Facts,
  cause?: unknown,
  anchor = `library-${code}`,
): void {
  const say = (text: string) => log(level, text, cause)
  const sayInShort = () => say(formatShort(code, facts, anchor))
  if (isReadAlong())
    withAdvice(
      ({ describe }) => say(`${code}: ${describe(code, facts || {})} ${documents}#${anchor}`),
      sayInShort,
    )
  else sayInShort()
}
