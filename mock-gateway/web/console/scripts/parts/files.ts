import { element } from './element.ts'

/** Fills a text field from a file; without a script the text is pasted. */
export function offerFiles(): void {
  for (const field of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-file]')) {
    const label = element('label', 'From a file ')
    const file = element('input', '', { type: 'file', accept: field.dataset.file ?? '' })
    file.onchange = async () => {
      field.value = (await file.files?.[0]?.text()) ?? field.value
    }
    label.append(file)
    field.closest('label')?.before(label)
  }
}
