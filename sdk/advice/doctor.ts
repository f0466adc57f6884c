import type { AdviceCode } from '../../mock-gateway/contract/library-advice.ts'
import { type Control, controlsOf } from '../form/controls.ts'
import { fieldValue, parameterOf, type Snapshot, secretName, takeSnapshot } from '../form/snapshot.ts'
import type { Settings } from '../settings/options.ts'
import type { Adviser } from './tell.ts'

interface Patient {
  form: HTMLFormElement
  settings: Settings
  snapshot: Snapshot
  controls: readonly Control[]
}

/** One mistake of a page, and whether it is there. */
type Symptom = [code: AdviceCode, isThere: (patient: Patient) => unknown]

const SYMPTOMS: readonly Symptom[] = [
  [
    'doctor.named_secret',
    ({ controls, settings }) =>
      controls.some((each) => each.name && secretName(each, settings.attributes) !== undefined),
  ],
  [
    'doctor.autocomplete',
    ({ controls, settings }) =>
      controls.some(
        (each) =>
          each.type !== 'hidden' &&
          /^card_(number|cvv|expiry|holder)$/.test(parameterOf(each, settings)) &&
          !each.hasAttribute('autocomplete'),
      ),
  ],
  [
    'doctor.secret',
    ({ controls }) => controls.some((each) => each.type === 'hidden' && /^\$2\w?\$\d\d\$/.test(each.value)),
  ],
  ['doctor.payment_ref', ({ snapshot }) => (fieldValue(snapshot, 'payment_ref') ?? '').length > 12],
  ['doctor.amount', ({ snapshot }) => !/^(\d+\.\d\d)?$/.test(fieldValue(snapshot, 'amount') ?? '')],
  [
    'doctor.ajax_address',
    ({ form, settings }) => settings.type === 'form' && /\/transactions/.test(form.getAttribute('action') ?? ''),
  ],
  ['doctor.insecure', () => window.isSecureContext === false],
]

export const examine: Adviser['examine'] = (form, settings) => {
  const patient = { form, settings, snapshot: takeSnapshot(form, settings), controls: controlsOf(form) }
  return SYMPTOMS.filter(([, isThere]) => isThere(patient)).map(([code]) => [code, {}])
}
