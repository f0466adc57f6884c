import { createPrivateKey, generateKeyPair, randomBytes, X509Certificate } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** PEM of a certificate and of its key. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

const DAY = 24 * 60 * 60 * 1000

/** Apple's programs take no certificate for more than 825 days. */
const VALID = 800 * DAY

/** A stored certificate that ends sooner is replaced. */
const LEFT = 30 * DAY

/**
 * Creates a certificate for a server, signed with its own key: a client that trusts it trusts only
 * this server.
 * @param hosts names and IP addresses, without brackets
 * @param now epoch milliseconds
 */
export async function makeCertificate(hosts: readonly string[], now: number): Promise<Certificate> {
  // Only here: it is a large package, and most starts need none.
  const [{ default: forge }, { publicKey, privateKey: key }] = await Promise.all([
    import('node-forge'),
    promisify(generateKeyPair)('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }),
  ])
  const certificate = forge.pki.createCertificate()
  const name = [{ name: 'commonName', value: 'mondido-gateway' }]
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey)
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`
  certificate.validity.notBefore = new Date(now - DAY)
  certificate.validity.notAfter = new Date(now + VALID)
  certificate.setSubject(name)
  certificate.setIssuer(name)
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false },
    { name: 'extKeyUsage', serverAuth: true },
    // RFC 5280, 4.2.1.6: 2 is a name, 7 an IP address.
    {
      name: 'subjectAltName',
      altNames: hosts.map((host) =>
        isIP(host) ? { type: 7, ip: host } : { type: 2, value: host },
      ),
    },
  ])
  certificate.sign(forge.pki.privateKeyFromPem(key), forge.md.sha256.create())
  return { cert: forge.pki.certificateToPem(certificate).replaceAll('\r', ''), key }
}

/**
 * Returns the certificate stored in a folder. Creates a new one if there is none for all these
 * hosts, or if it ends soon.
 */
export async function loadCertificateFile(
  folder: string,
  hosts: readonly string[],
  now: number,
): Promise<Certificate> {
  const files = { cert: join(folder, CERTIFICATE), key: join(folder, 'key.pem') }
  const kept = await readCertificate(files).catch(() => undefined)
  if (kept && isUsable(kept, hosts, now)) return kept
  const made = await makeCertificate(hosts, now)
  await mkdir(folder, { recursive: true })
  await writeFile(files.key, made.key, { mode: 0o600 })
  await writeFile(files.cert, made.cert)
  return made
}

/** File in the folder of `loadCertificateFile`, for clients that must trust it. */
export const CERTIFICATE = 'certificate.pem'

/** @param files paths. @throws the file system's own error */
export async function readCertificate(files: Certificate): Promise<Certificate> {
  const [cert, key] = await Promise.all([readFile(files.cert, 'utf8'), readFile(files.key, 'utf8')])
  return { cert, key }
}

function isUsable({ cert, key }: Certificate, hosts: readonly string[], now: number): boolean {
  try {
    const known = new X509Certificate(cert)
    const isFor = (host: string) =>
      (isIP(host) ? known.checkIP(host) : known.checkHost(host)) !== undefined
    const lasts = Date.parse(known.validTo) - now > LEFT
    return lasts && hosts.every(isFor) && known.checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}
