import { element } from './element.ts'

/** Fills a text field from a file; without a script the text is pasted. */
export function offerFiles(): void {
  for (const field of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-file]')) {
    const file = element('input', { type: 'file', accept: field.dataset.file ?? '' })
    file.onchange = async () => {
      field.value = (await file.files?.[0]?.text()) ?? field.value
    }
    field.closest('label')?.before(element('label', {}, 'From a file ', file))
  }
}
