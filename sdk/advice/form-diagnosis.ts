import { type Control, isSubmitButton, listControls } from '../form/controls.ts'
import { createParameter, getFieldValue, getSecretName, type Snapshot } from '../form/snapshot.ts'
import type { Settings } from '../settings/options.ts'
import type { AdviceCode } from '../shared/advice-texts.ts'
import { findNearest, suggest } from './nearest.ts'
import type { AdviceModule, Facts } from './tell.ts'
import { CARD_PARAMETERS, EVENT_NAMES, OPTION_NAMES, PARAMETERS, REQUIRED } from './words.ts'

/** A form, with its settings, values and inputs. */
interface ExaminedForm {
  form: HTMLFormElement
  settings: Settings
  snapshot: Snapshot
  controls: readonly Control[]
}

/** Returns the facts of a mistake if it exists. */
const listFactsIf = (isThere: boolean, facts: Facts = {}): Facts[] => (isThere ? [facts] : [])

/** Functions that return the facts of each place where a mistake occurs, by the code of the mistake. */
const FORM_CHECKS: Partial<Record<AdviceCode, (examined: ExaminedForm) => readonly Facts[]>> = {
  'doctor.named_secret': ({ controls, settings: { attributes } }) =>
    listFactsIf(
      controls.some((each) => each.name && getSecretName(each, attributes) !== undefined),
    ),
  'doctor.autocomplete': ({ controls, settings }) =>
    listFactsIf(
      controls.some((each) => isCardInput(each, settings) && !each.hasAttribute('autocomplete')),
    ),
  'doctor.secret': ({ controls }) =>
    listFactsIf(
      controls.some(({ type, value }) => type === 'hidden' && /^\$2\w?\$\d\d\$/.test(value)),
    ),
  'doctor.payment_ref': (examined) => listFactsIf(getValue(examined, 'payment_ref').length > 12),
  'doctor.amount': (examined) => listFactsIf(!/^(\d+\.\d\d)?$/.test(getValue(examined, 'amount'))),
  'doctor.ajax_address': ({ form, settings }) =>
    listFactsIf(settings.type === 'form' && hasAddress(form, settings, '/transactions')),
  'doctor.form_address': ({ form, settings }) =>
    listFactsIf(settings.type === 'ajax' && hasAddress(form, settings, '/form')),
  'doctor.missing': (examined) => listFactsAbout(listMissing(examined, REQUIRED)),
  'doctor.field': findRenamed,
  'doctor.mark': ({ snapshot }) =>
    snapshot.secrets
      .filter(([name]) => !PARAMETERS.includes(name) && !name.includes('['))
      .map(([mark]) => ({ mark, nearest: suggest(mark, CARD_PARAMETERS) })),
  'doctor.attribute': ({ form }) =>
    [...form.attributes]
      .map(({ name }) => name)
      .filter((name) => name.startsWith(PREFIX) && !KNOWN_ATTRIBUTES.includes(name))
      .map((attribute) => ({ attribute, nearest: suggest(attribute, KNOWN_ATTRIBUTES) })),
  'doctor.event': ({ form }) => findUnheardEvents(form),
  'doctor.no_button': ({ controls }) =>
    listFactsIf(controls.some(({ type }) => type === 'button') && !controls.some(isSubmitButton)),
  'doctor.no_return': (examined) =>
    examined.settings.type === 'form'
      ? listFactsAbout(listMissing(examined, ['success_url', 'error_url']))
      : [],
  'doctor.same_id': ({ form }) => {
    const id = form.getAttribute('id')
    const isTwice = !!id && document.querySelectorAll(`[id="${CSS.escape(id)}"]`).length > 1
    return listFactsIf(isTwice, { id })
  },
  'doctor.insecure': () => listFactsIf(window.isSecureContext === false),
}

const PREFIX = 'data-mondido-'
const KNOWN_ATTRIBUTES: readonly string[] = ['state', 'ignore', ...OPTION_NAMES].map(
  (name) => PREFIX + name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
)

const getValue = ({ snapshot }: ExaminedForm, name: string) => getFieldValue(snapshot, name) ?? ''

const isCardInput = (control: Control, settings: Settings): boolean =>
  control.type !== 'hidden' &&
  /^card_(number|cvv|expiry|holder)$/.test(createParameter(control, settings))

const hasAddress = (form: HTMLFormElement, { url }: Settings, end: string): boolean => {
  const [path = ''] = (url ?? form.getAttribute('action') ?? '').split(/[?#]/)
  return ['/v1', '/v2'].some((version) => path.endsWith(version + end))
}

const listMissing = (examined: ExaminedForm, names: readonly string[]): string[] =>
  names.filter((name) => !getValue(examined, name))

const listFactsAbout = (fields: readonly string[]): Facts[] =>
  listFactsIf(fields.length > 0, { fields: fields.join(', ') })

/** Fields whose names nearly equal the names of parameters that the form lacks. */
function findRenamed(examined: ExaminedForm): Facts[] {
  const lacking = listMissing(examined, PARAMETERS)
  const found: Facts[] = []
  for (const [field] of examined.snapshot.plain) {
    const meant = PARAMETERS.includes(field) ? undefined : findNearest(field, lacking)
    if (meant) found.push({ field, nearest: meant })
  }
  return found
}

export const examine: AdviceModule['examine'] = (form, settings, snapshot) => {
  const examined = { form, settings, snapshot, controls: listControls(form) }
  const found: [AdviceCode, Facts][] = []
  for (const [code, find] of Object.entries(FORM_CHECKS))
    for (const facts of find(examined)) found.push([code as AdviceCode, facts])
  return found
}

/** Part of jQuery's internal data: the handlers of each kind of event, with their namespaces. */
interface Handlers {
  _data?(
    element: unknown,
    name: 'events',
  ): Readonly<Record<string, readonly { namespace: string }[]>> | undefined
}

/** Names of the library's events, and names that are often confused with them. */
const OURS = /^(payment|mpi|card|mondido)\b|^(success|fail)$/

/**
 * Finds handlers on the form and around it that never run, for example of `payment.success`, which
 * jQuery reads as an event `payment`. Handlers of a jQuery without a global name, and native
 * handlers, are not visible.
 */
function findUnheardEvents(form: HTMLFormElement): Facts[] {
  const jQuery: Handlers | undefined = Reflect.get(window, 'jQuery')
  const names = new Set<string>()
  for (const element of [...listAncestors(form), document, window]) {
    for (const [type, handlers] of Object.entries(jQuery?._data?.(element, 'events') ?? {})) {
      if (!OURS.test(type) || EVENT_NAMES.includes(type)) continue
      for (const { namespace } of handlers) names.add(namespace ? `${type}.${namespace}` : type)
    }
  }
  return [...names].map((event) => ({ event, nearest: suggest(event, EVENT_NAMES) }))
}

function* listAncestors(element: Element): Iterable<Element> {
  for (let each: Element | null = element; each; each = each.parentElement) yield each
}
