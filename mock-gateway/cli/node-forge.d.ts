/** Parts of node-forge that create certificates. */
declare module 'node-forge' {
  interface Certificate {
    publicKey: unknown
    serialNumber: string
    readonly validity: { notBefore: Date; notAfter: Date }
    setSubject(attributes: readonly { name: string; value: string }[]): void
    setIssuer(attributes: readonly { name: string; value: string }[]): void
    setExtensions(extensions: readonly object[]): void
    sign(privateKey: unknown, digest: unknown): void
  }
  const forge: {
    readonly md: { readonly sha256: { create(): unknown } }
    readonly pki: {
      createCertificate(): Certificate
      privateKeyFromPem(pem: string): unknown
      publicKeyFromPem(pem: string): unknown
      certificateToPem(certificate: Certificate): string
    }
  }
  export default forge
}
