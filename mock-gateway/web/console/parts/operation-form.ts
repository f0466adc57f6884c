import type { Operation } from '../../../operations/operation.ts'
import { listFields } from '../../../operations/read-input.ts'
import { getOperation, listAllOperations } from '../../../operations/table.ts'
import type { Parameters } from '../../../parsing/parameters/parameters.ts'
import { runOperation } from '../../http/operation-context.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { renderCodeBlock } from '../../pages/messages.ts'
import type { Done } from '../sections.ts'
import {
  type ConsolePage,
  type ConsoleRedirect,
  type ConsoleRoute,
  type ConsoleView,
  type ConsoleVisit,
  type FormAction,
  type MerchantVisit,
  readTexts,
} from '../visit.ts'
import { copied, renderFacts } from './cells.ts'
import { formatLabel } from './filters.ts'
import {
  type FormField,
  type FormFields,
  renderField,
  renderFolded,
  renderTokenField,
} from './forms.ts'
import { assignProblemToField, type ConsoleProblem, renderProblemBox } from './problem.ts'

export interface OperationForm<Of extends ConsoleVisit = MerchantVisit> {
  /** The operation that it runs. A form with another name has `run`. */
  readonly name: string
  /** Target, below the pages of its merchant or the administrator; its page has the same address. */
  readonly path: string
  readonly button: string
  /** Fields in order. Each has what differs from the input of the operation. */
  readonly fields: FormFields
  readonly more?: FormFields
  /** Default: counts the rare fields. */
  readonly moreTitle?: string
  /** Default: runs the operation with the fields. */
  run?(visit: Of): Promise<unknown>
  /** Next page. */
  readonly to: string | ((answer: Answer, visit: Of) => string)
  readonly done: Done
  /** Returns true if the action ends the session, and the user continues in a new one. */
  newSession?(visit: Of): boolean
  /** Page that shows the answer, instead of the next page. */
  shows?(answer: Answer, visit: Of): ConsoleView | Promise<ConsoleView> | undefined
}

type Answer = Readonly<Record<string, string | number | null>>

/** Creates the action of a form. @param page the page with the form, for a rejected one */
export const formAct = <Of extends ConsoleVisit>(
  { name, path, run, to, done, newSession, shows }: OperationForm<Of>,
  page: Pick<ConsolePage<Of>, 'show'>,
): FormAction<Of> => ({
  path,
  async act(visit) {
    const answer = (await (run?.(visit) ?? runFromForm(visit, name))) as Answer
    return (
      (await shows?.(answer, visit)) ?? {
        to: typeof to === 'string' ? to : to(answer, visit),
        done,
        newSession: newSession?.(visit) ?? false,
      }
    )
  },
  again: (visit, problem) =>
    page.show({ ...visit, refused: { form: name, problem } }) as Promise<ConsoleView>,
})

export function formPage<Of extends ConsoleVisit>(
  form: OperationForm<Of>,
  show: (visit: Of) => Promise<ConsoleView>,
): readonly ConsoleRoute<Of>[] {
  const page = { path: form.path, show }
  return [page, formAct(form, page)]
}

/** Creates the action of a button that runs an operation. @param next page, also by the answer */
export const buttonAct = (
  path: string,
  operation: string,
  next: ConsoleRedirect | ((answer: Answer, visit: MerchantVisit) => ConsoleRedirect),
): FormAction<MerchantVisit> => ({
  path,
  async act(visit) {
    const answer = (await runFromForm(visit, operation)) as Answer
    return typeof next === 'function' ? next(answer, visit) : next
  },
})

export function runFromForm(
  { merchant, response, dependencies, named, fields }: ConsoleVisit,
  name: string,
  sent: Parameters = fields,
): Promise<unknown> {
  const operation = getOperation(name)
  const id = merchant && String(merchant.id)
  // An operation about merchants has the merchant in its path.
  const inPath = id !== undefined && operation.whose === 'none' ? { id, ...named } : named
  const input = id === undefined ? sent : { ...sent, merchant_id: id }
  return runOperation(response, dependencies, operation, input, inPath)
}

export const changeSettings = (visit: MerchantVisit, settings: object): Promise<unknown> =>
  runFromForm(visit, 'merchants.update', { settings } as Parameters)

export const getTarget = (visit: ConsoleVisit, path: string): string =>
  visit.home + path.replace(/:(\w+)/g, (_all, name) => encodeURIComponent(visit.named[name] ?? ''))

interface FormContent {
  /** Values to begin with. */
  readonly values?: Readonly<Record<string, unknown>>
  /** Values after a rejection; by default the sent ones. */
  readonly typed?: Readonly<Record<string, unknown>>
  readonly after?: SafeHtml | null
  /** Content next to the form. */
  readonly aside?: SafeHtml
}

export type ShownForm = Pick<
  OperationForm,
  'name' | 'path' | 'button' | 'fields' | 'more' | 'moreTitle'
>

/** Renders a form with its values, the error of a rejected one, and the command of its operation. */
export function renderOperationForm(
  visit: ConsoleVisit,
  { name, path, button, fields, more = {}, moreTitle }: ShownForm,
  { values = {}, typed, after = null, aside }: FormContent = {},
): SafeHtml {
  const operation = listAllOperations().find((each) => each.name === name)
  const known = operation ? formFields(operation) : {}
  const problem = findProblem(visit, name)
  const names = Object.keys({ ...fields, ...more })
  const shown = problem ? (typed ?? readTexts<string>(visit.parameters, names)) : values
  const problems = assignProblemToField(problem, names)
  const getValue = (each: string) => String(shown[each] ?? '')
  const view = (some: FormFields) =>
    Object.entries(some).map(([each, field]) => {
      const merged = { label: formatLabel(each), ...known[each], ...field }
      return renderField(name, each, merged, getValue(each), problems[each])
    })
  const isOpen = Object.entries(more).some(([each, field]) => {
    const { usual = '' } = { ...known[each], ...field }
    return each in problems || !['', usual].includes(getValue(each))
  })
  const count = Object.keys(more).length
  const title = moreTitle ?? html`More fields <span class="quiet">${count}</span>`
  const rare = html`<div class="fields">${view(more)}</div>`
  const content = html`${view(fields)}${count > 0 ? renderFolded(title, rare, { isOpen }) : null}<p class="row"><button>${button}</button> ${after}</p>`
  return html`${Object.keys(problems).length > 0 ? null : renderProblemBox(problem)}
<form id="form-${name}" class="${aside ? 'columns' : 'fields'}" method="post" action="${getTarget(visit, path)}">${renderTokenField(visit)}
${aside ? html`<div>${content}</div>${aside}` : content}
</form>
${operation && renderCommand(visit, operation, values)}`
}

interface FoldedContent extends FormContent {
  readonly before?: SafeHtml
  readonly isOpen?: boolean
  readonly look?: 'button small'
}

/** Renders a form behind its title. It is open after a rejection, or if `isOpen` is true. */
export const renderFoldedForm = (
  visit: ConsoleVisit,
  title: string | SafeHtml,
  form: ShownForm,
  { before, isOpen = false, look, ...content }: FoldedContent = {},
): SafeHtml =>
  renderFolded(title, html`${before}${renderOperationForm(visit, form, content)}`, {
    isOpen: isOpen || findProblem(visit, form.name) !== null,
    ...(look && { look }),
  })

/**
 * Renders either the button that creates an object, or the form. The form replaces the button after
 * the button is pressed, and after the input is rejected.
 */
export function renderCreation(
  visit: ConsoleVisit,
  title: string,
  form: ShownForm & Pick<OperationForm, 'to'>,
  { before, isOpen = 'new' in visit.parameters, after, ...content }: FoldedContent = {},
): { readonly button: SafeHtml | null; readonly form: SafeHtml | null } {
  const list = typeof form.to === 'string' ? form.to : form.path
  const cancel = html`<a class="button small" href="${getTarget(visit, list)}">Cancel</a>`
  return isOpen || findProblem(visit, form.name) !== null
    ? {
        button: null,
        form: html`<section><h2>${title}</h2>
${before}${renderOperationForm(visit, form, { ...content, after: html`${after} ${cancel}` })}</section>`,
      }
    : { button: html`<a class="button" href="?new=true">${title}</a>`, form: null }
}

/** Returns the error of a rejected form of the page; null for other forms. */
export const findProblem = ({ refused }: ConsoleVisit, name: string): ConsoleProblem | null =>
  refused?.form === name ? refused.problem : null

export const formFields = (operation: Pick<Operation, 'input'>): FormFields =>
  Object.fromEntries(
    listFields(operation).map(({ name, kind, choices, description, isRequired, usual }) => {
      const values = isRequired || usual !== '' ? choices : ['', ...choices]
      return [
        name,
        {
          label: formatLabel(name),
          help: description,
          isRequired,
          usual,
          ...(kind === 'choice'
            ? { choices: Object.fromEntries(values.map((each) => [each, each])) }
            : kind !== 'text' && { kind }),
        } satisfies FormField,
      ]
    }),
  )

/** Shows the command that runs an operation with these values, or else with its first example. */
function renderCommand(
  { named, merchant }: ConsoleVisit,
  { name, input, whose, examples }: Operation,
  values: Readonly<Record<string, unknown>>,
): SafeHtml {
  const filled = Object.keys(input.shape)
    .map((field) => [field, String(named[field] ?? values[field] ?? '')] as const)
    .filter(([, text]) => text !== '')
  const shown = filled.length > 0 ? Object.fromEntries(filled) : examples[0]?.input
  return asCommand(writeCommand(name, shown, whose === 'none' ? undefined : merchant?.id))
}

/** Builds a page of values that no other page shows. */
export const renderShownOnce = (
  title: string,
  values: Readonly<Record<string, string | number | null | undefined>>,
  after: SafeHtml,
): ConsoleView => ({
  title,
  body: html`<p>Copy these values now: they are never shown again.</p>
${renderFacts(Object.entries(values).map(([name, value]) => [name, copied(value)] as const))}
${after}`,
})

/** Words that a shell reads as they are. */
const PLAIN = /^[\w./:@-]+$/

/** Writes the command that runs an operation. @param merchantId its merchant, if it has one */
export function writeCommand(
  name: string,
  input: Readonly<Record<string, string | number | null>> = {},
  merchantId?: number,
): string {
  const flags = { ...input, ...(merchantId !== undefined && { merchant: merchantId }) }
  const words = Object.entries(flags).map(([flag, value]) => {
    const text = String(value)
    return `--${flag} ${PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`}`
  })
  return ['mondido-gateway do', name, ...words].join(' ')
}

/** Renders commands that do the same as a part of a page, folded. */
export const asCommand = (...commands: readonly string[]): SafeHtml =>
  html`<details class="more"><summary>As a command</summary>${renderCodeBlock(commands.join('\n'))}</details>`
