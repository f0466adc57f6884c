import { guard } from '../log.ts'
import type { Payload } from './prepare.ts'

/** Posts fields by a form of its own, so that the browser goes to their address. The page's form is never sent: it may
 * hold clear values, and its submit handlers would run again. */
export function post(
  { url, fields, files = [] }: Pick<Payload, 'url' | 'fields'> & Partial<Payload>,
  attributes: Readonly<Record<string, string | null>>,
): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = url
  form.acceptCharset = 'UTF-8'
  form.hidden = true
  for (const [name, value] of Object.entries(attributes)) if (value !== null) form.setAttribute(name, value)
  form.append(...fields.map(([name, value]) => inputOf('hidden', name, value)), ...files.map(copyOfFile))
  document.body.append(form)
  // Firefox throws where the page's policy forbids it, and tells of that as all browsers do.
  guard(() => HTMLFormElement.prototype.submit.call(form))
  guard(() => form.remove())
}

function inputOf(type: string, name: string, value: string): HTMLInputElement {
  const input = document.createElement('input')
  input.type = type
  input.name = name
  if (value) input.value = value
  return input
}

function copyOfFile(original: HTMLInputElement): HTMLInputElement {
  const input = inputOf('file', original.name, '')
  input.files = original.files
  return input
}
