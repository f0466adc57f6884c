import { type RunningGateway, runGateway } from '../../mock-gateway/cli.ts'

/** Starts a gateway like the command, in memory, on a free port and without a log. */
export const runInMemory = (...flags: readonly string[]): Promise<RunningGateway> =>
  runGateway(['--memory', '--port', '0', ...flags], { LOG_LEVEL: 'silent' }, () => {})

/**
 * Calls the control API of a running gateway.
 * @throws Error if the answer is not a success
 */
export async function callControl<Body>(
  { url, control }: Pick<RunningGateway, 'url' | 'control'>,
  method: string,
  path: string,
  fields?: object,
): Promise<Body> {
  const answer = await fetch(`${url}/_control${path}`, {
    method,
    headers: { 'x-control-key': control.key ?? '', 'content-type': 'application/json' },
    body: fields === undefined ? null : JSON.stringify(fields),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Body
}
