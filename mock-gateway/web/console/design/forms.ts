import { html, type SafeHtml } from '../../pages/html.ts'
import type { FormField } from '../form-field.ts'

/** The proof that a form is of this session (attack 47). Each form that posts begins with it. */
export const tokenField = ({ formToken }: { readonly formToken: string }): SafeHtml =>
  html`<input type="hidden" name="form_token" value="${formToken}">`

/** Renders a field: its label, what it is for, what is wrong beside it, and the value. */
export function fieldView(field: FormField): SafeHtml {
  const { name, label, help, problem, isRequired, choices, kind } = field
  const id = name.replaceAll('[', '-').replaceAll(']', '')
  const choosesSome = choices.length > 0 && kind === 'line'
  return html`<div class="field"><label for="field-${id}">${label}${isRequired ? html` <span class="quiet">required</span>` : null}</label>
${
  help &&
  html`<p class="hint" id="help-${id}">${help}${choosesSome ? ` One or more of ${choices.join(', ')}.` : null}</p>
`
}${
  problem &&
  html`<p class="wrong" id="wrong-${id}" role="alert">${problem}</p>
`
}${field.isFixed ? html`<p><code>${field.value}</code> <span class="quiet">is set where the gateway was started</span></p>` : controlOf(field, id)}
</div>
`
}

/** Lines of a text that may be long, and of a source. */
const LINES = { long: 4, json: 4, source: 24 } as const

function controlOf(
  { name, value, kind, choices, words, list, help, problem, isRequired }: FormField,
  id: string,
): SafeHtml {
  const described = [problem === null ? [] : `wrong-${id}`, help === null ? [] : `help-${id}`].flat()
  const attributes = html`id="field-${id}" name="${name}"${described.length > 0 ? html` aria-describedby="${described.join(' ')}"` : null}${problem === null ? null : html` aria-invalid="true"`}${isRequired ? html` required` : null}`
  const option = (choice: string, text: string) =>
    html`<option${choice === text ? null : html` value="${choice}"`}${choice === value ? html` selected` : null}>${text}</option>`
  switch (kind) {
    case 'choice':
      return html`<select ${attributes}>${words.map(({ choice, text }) => option(choice, text))}${choices.map((choice) => option(choice, choice))}</select>`
    case 'long':
    case 'json':
    case 'source':
      return html`<textarea ${attributes} rows="${LINES[kind]}"${kind === 'long' ? null : html` spellcheck="false"`}>
${value}</textarea>`
    default:
      return html`<input ${attributes} value="${value}"${kind === 'number' ? html` inputmode="numeric"` : null}${list && html` list="${list}" autocomplete="off"`}>`
  }
}
