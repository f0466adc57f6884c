import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'

/**
 * Makes child programs trust a certificate, in addition to the certificates that they trust
 * already. Node adds the file of its variable; OpenSSL (Ruby, PHP, Python), curl and Python's
 * requests trust only the file of theirs.
 * @param certificate PEM; undefined if there is none
 * @param work gets the variables, whose files exist until it ends
 */
export async function trusting<Result>(
  certificate: string | undefined,
  work: (variables: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> {
  if (certificate === undefined) return work({})
  const folder = await mkdtemp(join(tmpdir(), 'mondido-trust-'))
  const keep = async (name: string, known: readonly string[]) => {
    const file = join(folder, name)
    await writeFile(
      file,
      `${[...new Set([...known, certificate])].map((each) => each.trim()).join('\n')}\n`,
    )
    return file
  }
  try {
    const added = await keep('added.pem', getCACertificates('extra'))
    const all = await keep('all.pem', [
      ...getCACertificates('default'),
      ...getCACertificates('system'),
    ])
    return await work({
      NODE_EXTRA_CA_CERTS: added,
      SSL_CERT_FILE: all,
      CURL_CA_BUNDLE: all,
      REQUESTS_CA_BUNDLE: all,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
