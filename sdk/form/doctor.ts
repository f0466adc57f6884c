import type { Settings } from '../settings/options.ts'
import { type Control, controlsOf } from './controls.ts'
import { fieldValue, isTestPayment, parameterOf, type Snapshot, secretName } from './snapshot.ts'

interface Patient {
  form: HTMLFormElement
  settings: Settings
  snapshot: Snapshot
  controls: readonly Control[]
}

/** One mistake of a page: whether it is there, and what to say. Never a field's value. */
type Symptom = [finding: string, isThere: (patient: Patient) => unknown]

const SYMPTOMS: readonly Symptom[] = [
  [
    'Take the name off encrypted inputs: a submit past the library would send them in clear.',
    ({ controls, settings }) =>
      controls.some((each) => each.name && secretName(each, settings.attributes) !== undefined),
  ],
  [
    'Card inputs lack autocomplete, such as cc-number.',
    ({ controls, settings }) =>
      controls.some(
        (each) =>
          each.type !== 'hidden' &&
          /^card_(number|cvv|expiry|holder)$/.test(parameterOf(each, settings)) &&
          !each.hasAttribute('autocomplete'),
      ),
  ],
  [
    'A hidden input looks like a merchant secret; make the hash on the server.',
    ({ controls }) => controls.some((each) => each.type === 'hidden' && /^\$2\w?\$\d\d\$/.test(each.value)),
  ],
  ['payment_ref is longer than 12.', ({ snapshot }) => (fieldValue(snapshot, 'payment_ref') ?? '').length > 12],
  [
    'amount needs two decimals, such as 10.00.',
    ({ snapshot }) => !/^(\d+\.\d\d)?$/.test(fieldValue(snapshot, 'amount') ?? ''),
  ],
  [
    'The action is for type ajax.',
    ({ form, settings }) => settings.type === 'form' && /\/transactions/.test(form.getAttribute('action') ?? ''),
  ],
  ['A live payment needs an https page.', () => window.isSecureContext === false],
]

const isLoopback = (): boolean => /^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(location.hostname)

/** Whether the integrator wants to read about mistakes: option `debug`, else test payments and localhost. */
export const isDebugged = (settings: Settings, snapshot: Snapshot): boolean =>
  settings.debug ?? (isTestPayment(snapshot) || isLoopback())

/** The usual mistakes a payment page makes, one sentence each. */
export function examine(form: HTMLFormElement, settings: Settings, snapshot: Snapshot): string[] {
  const patient = { form, settings, snapshot, controls: controlsOf(form) }
  return SYMPTOMS.filter(([, isThere]) => isThere(patient)).map(([finding]) => finding)
}
