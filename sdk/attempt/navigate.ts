import type { Payload } from './prepare.ts'

/** Posts the payload by a form of its own, so that the browser goes to the hosted flow. The page's form is never sent:
 * it may hold clear values, and its submit handlers would run again. */
export function navigate({ url, fields, files }: Payload, origin: HTMLFormElement): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = url
  form.acceptCharset = 'UTF-8'
  form.hidden = true
  for (const name of ['target', 'enctype']) {
    const value = origin.getAttribute(name)
    if (value !== null) form.setAttribute(name, value)
  }
  form.append(...fields.map(([name, value]) => inputOf('hidden', name, value)), ...files.map(copyOfFile))
  document.body.append(form)
  HTMLFormElement.prototype.submit.call(form)
  form.remove()
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
