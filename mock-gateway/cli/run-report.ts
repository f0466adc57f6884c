import { access, constants, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { findReason, StartError } from './start-error.ts'

/**
 * Writes the report of a run into a file when it ends. If that fails, a line on standard error says
 * so.
 * @throws StartError with exit code 2 if its folder is not writable
 */
export async function reportInto(file: string): Promise<(html: string) => Promise<void>> {
  await access(dirname(file), constants.W_OK).catch((error) => {
    throw new StartError(`The report cannot be written to ${file}: ${findReason(error)}.`, 2)
  })
  return async (html) => {
    const result = await writeFile(file, html).then(
      () => `The payments of this run are in ${file}.`,
      (error) => `The report could not be written: ${findReason(error)}.`,
    )
    process.stderr.write(`${result}\n`)
  }
}
