import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'

/**
 * Lets programs trust a certificate, beside all that they trust already. Node adds what its
 * variable names; OpenSSL (Ruby, PHP, Python), curl and Python's requests trust nothing but what
 * theirs name.
 * @param certificate PEM; undefined: there is none to trust
 * @param work gets the variables, which name files that are there as long as it lasts
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
