import { html, type SafeHtml } from '../../pages/html.ts'
import type { PaymentFormData } from '../form-data.ts'
import type { HostedContext } from './sheet.ts'

/** Renders the test cards and test persons of a test payment. */
export const testHelper = (
  { text }: HostedContext,
  isTest: boolean,
  { outcomes, persons }: PaymentFormData,
): SafeHtml => html`${isTest ? html`<p class="note">${text.test}</p>` : null}
${
  outcomes.length === 0
    ? null
    : html`<details class="helper">
<summary>${text.helper}</summary>
<p class="quiet">${text.helper_hint}</p>
<table>
<thead><tr>
<th scope="col">${text.helper_outcome}</th>
<th scope="col">${text.helper_card}</th>
<th scope="col">${text.helper_cvv}</th>
</tr></thead>
<tbody>
${outcomes.map(
  ({ label, number, expiry, cvv }) =>
    html`<tr><th scope="row"><button type="button" class="plain"
  data-number="${number}" data-expiry="${expiry}" data-cvv="${cvv}">${label}</button></th>
<td>${number}</td>
<td>${cvv}</td></tr>
`,
)}</tbody>
</table>
</details>`
}
${
  persons.length === 0
    ? null
    : html`<details class="helper">
<summary>${text.persons}</summary>
<p class="quiet">${text.persons_hint}</p>
<table>
<thead><tr>
<th scope="col">${text.person_number}</th>
<th scope="col">${text.person_answer}</th>
</tr></thead>
<tbody>
${persons.map(
  ({ country, number, error }) =>
    html`<tr><th scope="row">${country} ${number}</th><td>${error ?? text.person_approved}</td></tr>
`,
)}</tbody>
</table>
</details>`
}`
