/** The plan cannot be used, or the shop does not do what the plan says. */
export class CheckError extends Error {}

/** Reports an error of Playwright in one sentence. */
export function toBrowserError(error: unknown): CheckError {
  if (error instanceof CheckError) return error
  const [line = ''] = (error as Error).message.split('\n')
  return new CheckError(`A step in the browser failed: ${line}.`)
}
