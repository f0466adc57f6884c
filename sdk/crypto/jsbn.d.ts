declare module 'node-forge/lib/jsbn.js' {
  /** Big integers of node-forge; only what encrypting needs, the build leaves the rest out. */
  class BigInteger {
    constructor(text: string, radix: 16)
    /** This number to a power below 2^32, modulo an odd number. */
    modPowInt(exponent: number, modulus: BigInteger): BigInteger
    toString(radix: 16): string
  }
  const jsbn: { BigInteger: typeof BigInteger }
  export default jsbn
}
