import { html, type SafeHtml } from '../../pages/html.ts'
import { codeBlock } from './cells.ts'

/** Words that a shell reads as they are. */
const PLAIN = /^[\w./:@-]+$/

/** Writes the command that runs an operation. @param merchantId its merchant, if it has one */
export function writeCommand(
  name: string,
  input: Readonly<Record<string, string | number | null>> = {},
  merchantId?: number,
): string {
  const flags = { ...input, ...(merchantId !== undefined && { merchant: merchantId }) }
  const words = Object.entries(flags).map(([flag, value]) => {
    const text = String(value)
    return `--${flag} ${PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`}`
  })
  return ['mondido-gateway do', name, ...words].join(' ')
}

/** Renders commands that do the same as a part of a page, folded. */
export const asCommand = (...commands: readonly string[]): SafeHtml =>
  html`<details class="more"><summary>As a command</summary>${codeBlock(commands.join('\n'))}</details>`
