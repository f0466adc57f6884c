import { html, type SafeHtml } from '../../pages/html.ts'
import type { PaymentFormData } from '../form-data.ts'
import type { InputName } from '../inputs.ts'
import type { HostedContext } from './sheet.ts'

/** Renders a field with its label and hint, and its problem below; both describe it. */
export function field(
  { text }: HostedContext,
  { inputs, problems, values, countries, meant }: PaymentFormData,
  name: InputName,
): SafeHtml {
  const { type, autocomplete, numeric, required, maxlength, enter, hint } = inputs[name]
  const problem = problems.find((each) => each.field === name)?.text
  const value = values[name]
  const describing = [problem && `${name}_problem`, hint && `${name}_hint`]
    .filter(Boolean)
    .join(' ')
  const attributes = [
    html`id="${name}" name="${name}" autocomplete="${autocomplete}"`,
    required ? html` required` : null,
    problem && html` aria-invalid="true"`,
    describing && html` aria-describedby="${describing}"`,
  ]
  const keyboard = [
    type === 'text' ? null : html` type="${type}"`,
    numeric ? html` inputmode="numeric"` : null,
  ]
  const control =
    type === 'select'
      ? html`<select ${attributes}>
${value === '' ? html`<option value="">${text.choose}</option>` : null}
${countries.map(
  (country) => html`<option
  value="${country.code}"${country.code === value ? html` selected` : null}>${country.name}</option>
`,
)}</select>`
      : html`<input ${attributes}${keyboard} maxlength="${maxlength}" enterkeyhint="${enter}"
  spellcheck="false"${value && html` value="${value}"`}>`
  return html`<div class="field">
<label for="${name}">${text[name]}</label>
${hint && html`<p class="hint" id="${name}_hint">${text[hint]}</p>`}
${control}
<p class="problem" id="${name}_problem"${problem ? null : html` hidden`}>${problem}</p>
${
  type === 'email'
    ? html`<p class="hint" id="${name}_meant" role="status"
  data-ask="${text.email_meant}">${meant && `${text.email_meant} ${meant}?`}</p>`
    : null
}
</div>
`
}

/** Renders the payer's details that the merchant asks for. */
export const details = (context: HostedContext, form: PaymentFormData): SafeHtml | null =>
  form.details.length === 0
    ? null
    : html`<fieldset class="details">
<legend>${context.text.your_details}</legend>
${form.details.map((name) => field(context, form, name))}</fieldset>`
