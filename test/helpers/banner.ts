import type { Transaction } from '../../mock-gateway/contract/wire.ts'

/** Call with its login. */
export interface Call {
  readonly url: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** Reads the curl command that the gateway printed. */
export function readCurl(output: string): Call {
  const [line = ''] = output.split('\n').filter((each) => each.startsWith('curl '))
  const [, login = '', url = '', body = ''] =
    /^curl (?:-k |--cacert '[^']+' )?-u (\S+) '([^']+)' -d '([^']+)'$/.exec(line) ?? []
  return {
    url,
    body,
    headers: {
      authorization: `Basic ${btoa(login)}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
  }
}

/** Sends the call of a curl command. */
export async function runCurl({
  url,
  ...init
}: Call): Promise<{ status: number; body: Transaction }> {
  const answer = await fetch(url, { method: 'POST', ...init })
  return { status: answer.status, body: (await answer.json()) as Transaction }
}
