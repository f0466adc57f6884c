import { guard } from '../log.ts'
import { createElement, setTemporarily } from '../ui/elements.ts'
import type { Payload } from './payload.ts'

/**
 * Posts fields with a new form, so that the browser goes to their address. The page's own form is
 * never sent: it may contain unencrypted values, and its submit handlers would run again.
 */
export function post(
  { url, fields, files = [] }: Pick<Payload, 'url' | 'fields'> & Partial<Payload>,
  attributes: Readonly<Record<string, string | null>>,
): void {
  const form = createElement('form', {
    method: 'post',
    action: url,
    acceptCharset: 'UTF-8',
    hidden: true,
  })
  for (const [name, value] of Object.entries(attributes)) setTemporarily(form, name, value)
  form.append(
    ...fields.map(([name, value]) => createElement('input', { type: 'hidden', name, value })),
    ...files.map(({ name, files }) => createElement('input', { type: 'file', name, files })),
  )
  document.body.append(form)
  // Firefox throws if the page's policy forbids it, and also reports it like other browsers.
  guard(() => HTMLFormElement.prototype.submit.call(form))
  guard(() => form.remove())
}
