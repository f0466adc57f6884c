import { byId } from '../page/elements.ts'
import { servicePage, serviceSettings } from './settings.ts'
import { show } from './shown.ts'

/** Fields that show the next part of the form when they are filled in (observed: 11.5). */
const NEXT: Readonly<Record<string, string>> = {
  email: '#row-phone-details',
  phone: '#row-ssn-details',
}

const field = (id: string) => byId(id, HTMLInputElement)

/** Shows the form step by step, and fills in the address that belongs to a personal number. */
export function mountInvoice(): void {
  const form = byId('invoiceform', HTMLFormElement)
  if (!form) return
  for (const [id, next] of Object.entries(NEXT)) {
    const input = field(id)
    const showNext = () => input?.value && show(next)
    input?.addEventListener('input', showNext)
    showNext()
  }
  field('ssn')?.addEventListener('change', () => void findAddress())
  form.addEventListener('submit', () => {
    const method = field('payment_method')
    if (method) method.value = 'invoice'
    const country = field('country_code')
    if (country?.value === '') country.value = serviceSettings().country_code ?? 'SWE'
  })
  for (const kind of ['b2c', 'b2b'])
    for (const link of document.querySelectorAll(`.set-${kind}`))
      link.addEventListener('click', (event) => {
        event.preventDefault()
        setSegmentation(kind)
      })
  setSegmentation(field('segmentation')?.value === 'b2b' ? 'b2b' : 'b2c')
}

function setSegmentation(kind: string): void {
  const input = field('segmentation')
  if (input) input.value = kind
  for (const each of ['b2c', 'b2b']) show(`.state-segmentation.${each}`, each === kind)
}

/** Fills in the found values; the payer types the others. */
async function findAddress(): Promise<void> {
  show('.state-load')
  const found = await fetchPerson().catch(() => undefined)
  show('.state-load', false)
  show('.row.state-error', found === undefined)
  for (const [name, value] of Object.entries(found ?? {})) {
    const input = name === 'id' ? field('pending_payment_customer') : field(name)
    if (input && value !== null) input.value = String(value)
  }
  for (const input of document.querySelectorAll<HTMLInputElement>('.invoice-input'))
    input.disabled = false
  show('.state-customer-details')
}

async function fetchPerson(): Promise<Readonly<Record<string, unknown>> | undefined> {
  const page = servicePage()
  const { config, country_code } = serviceSettings()
  const query = new URLSearchParams({
    token: page?.token ?? '',
    transaction_id: String(page?.transaction.id),
    merchant_id: String(page?.merchant.id),
    ssn: field('ssn')?.value ?? '',
    country: field('country_code')?.value || country_code || 'SWE',
  })
  const answer = await fetch(`${config?.system?.endpoint ?? '/v1/'}ssn?${query}`)
  return answer.ok ? answer.json() : undefined
}
