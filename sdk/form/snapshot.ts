import {
  type Control,
  clearControl,
  getName,
  isEnabled,
  listControls,
  listValues,
} from './controls.ts'

export type Pair = readonly [name: string, value: string]

/** The unencrypted value of an annotated input. */
export type SecretField = readonly [name: string, value: string, control: Control]

/** The form's data at one moment. */
export interface Snapshot {
  /** Unencrypted fields in document order, including the submitter's. */
  plain: readonly Pair[]
  /** Enabled annotated inputs in document order, including empty ones. */
  secrets: readonly SecretField[]
  /** True if any control is annotated. */
  hasMarks: boolean
  /** Annotated inputs without a parameter name. */
  unnamed: readonly Control[]
  /** Annotated elements whose value cannot be read. */
  unreadable: readonly Control[]
  /** Named, enabled file inputs. */
  files: readonly HTMLInputElement[]
}

interface SnapshotOptions {
  attributes: readonly string[]
  ignore: string
}

/**
 * Returns the parameter name that an annotated control is encrypted as; undefined for other
 * controls. An attribute without a value means the control's own name.
 */
export function getSecretName(control: Control, attributes: readonly string[]): string | undefined {
  const attribute = attributes.find((name) => control.hasAttribute(name))
  return attribute === undefined
    ? undefined
    : control.getAttribute(attribute)?.trim() || getName(control)
}

/** Returns the parameter of a control, encrypted or not. */
export const createParameter = (
  control: Control,
  { attributes }: { attributes: readonly string[] },
): string => getSecretName(control, attributes) || getName(control)

/** True while the library itself reads a form. */
let isReading = false

/** Removes the annotated inputs from any `FormData` of the form: they never leave in clear. */
export function removeSecrets(
  form: HTMLFormElement,
  { attributes }: SnapshotOptions,
  data: FormData,
): void {
  if (isReading) return
  for (const control of listControls(form, attributes))
    if (getSecretName(control, attributes) !== undefined) data.delete(getName(control))
}

/**
 * Reads the form's current data. No unencrypted field has the name of an annotated one, whatever
 * added it.
 * @param enabled controls that count although they are disabled now
 */
export function takeSnapshot(
  form: HTMLFormElement,
  { attributes, ignore }: SnapshotOptions,
  submitter: HTMLElement | null = null,
  enabled: ReadonlySet<Control> = new Set(),
): Snapshot {
  const everyControl = listControls(form, attributes)
  const counts = (control: Control) => enabled.has(control) || isEnabled(control)
  isReading = true
  const sent = new FormData(form)
  isReading = false
  const controls = everyControl.filter((control) => !ignore || !control.matches(ignore))
  const getSecret = (control: Control) => getSecretName(control, attributes)
  const marked = controls.filter((control) => getSecret(control) !== undefined)
  const secretNames = marked.map(getSecret)
  const clear = controls.filter((control) => !marked.includes(control) && control.name)
  const plain: Pair[] = []
  for (const control of clear.filter(counts)) {
    const values = control === submitter ? [control.value] : listValues(control, sent)
    for (const value of values || []) plain.push([control.name, value])
  }
  const secrets: SecretField[] = []
  const unreadable: Control[] = []
  for (const control of marked.filter(getSecret).filter(counts)) {
    const values = listValues(control, sent)
    for (const value of values || []) secrets.push([getSecret(control) || '', value, control])
    if (!values) unreadable.push(control)
  }
  return {
    plain: [...plain, ...listForeignFields(sent, everyControl)].filter(
      ([name]) => !secretNames.includes(name),
    ),
    secrets,
    hasMarks: marked.length > 0,
    unnamed: marked.filter((control) => !getSecret(control)),
    unreadable,
    files: clear.filter(
      (control): control is HTMLInputElement => control.type === 'file' && counts(control),
    ),
  }
}

/** Empties the annotated controls after a successful payment. */
export function clearSecrets({ secrets }: Snapshot): void {
  for (const [, , control] of secrets) clearControl(control)
}

/** Returns the fields that custom elements and `formdata` listeners add. */
function listForeignFields(sent: FormData, controls: readonly Control[]): Pair[] {
  const known = controls.map(getName)
  const fields: Pair[] = []
  sent.forEach((value, name) => {
    if (!known.includes(name) && typeof value === 'string') fields.push([name, value])
  })
  return fields
}

/** Returns the last value of a parameter, encrypted or not, that is not empty. */
export function getFieldValue({ plain, secrets }: Snapshot, name: string): string | undefined {
  return [...plain, ...secrets]
    .filter(([key, value]) => key === name && value.trim())
    .pop()?.[1]
    .trim()
}

/** Returns true for a test payment: `test` is `true` or `1`. */
export const isTestPayment = (snapshot: Snapshot): boolean =>
  /^(true|1)$/i.test(getFieldValue(snapshot, 'test') || '')
