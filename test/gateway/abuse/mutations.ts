import fc from 'fast-check'

/**
 * Request as bytes. The login is separate, because ten requests with mutated passwords would lock
 * the merchant.
 */
export interface Wire {
  readonly head: Buffer
  readonly login: Buffer
  readonly body: Buffer
}

type Mutation = (bytes: Buffer, at: number, length: number, piece: Buffer) => readonly Buffer[]

/** Mutations of the bytes of a head or body at a position. */
const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'a bit is turned': (bytes, at, length) => {
    const turned = Buffer.from(bytes)
    turned.writeUInt8(turned.readUInt8(at) ^ (1 << (length % 8)), at)
    return [turned]
  },
  'a piece is put in': (bytes, at, _length, piece) => [
    bytes.subarray(0, at),
    piece,
    bytes.subarray(at),
  ],
  'a run is left out': (bytes, at, length) => [bytes.subarray(0, at), bytes.subarray(at + length)],
  'a run comes twice': (bytes, at, length) => [bytes.subarray(0, at + length), bytes.subarray(at)],
  'the rest is left out': (bytes, at) => [bytes.subarray(0, at)],
  'a piece stands for a run': (bytes, at, length, piece) => [
    bytes.subarray(0, at),
    piece,
    bytes.subarray(at + length),
  ],
}

/** Pieces with a meaning in HTTP, forms or JSON. */
const PIECES = [
  ...[
    '\0',
    '\x7f',
    '\xff',
    '\xc0\xaf',
    '\xed\xa0\x80',
    '\r',
    '\n',
    '\r\n',
    '\r\n\r\n',
    ' ',
    '\t',
    ':',
    '%',
    '%00',
    '%FF',
  ],
  ...[
    '&',
    '=',
    '[',
    ']',
    '[]',
    '{',
    '}',
    '"',
    '\\',
    '\\u0000',
    '\\ud800',
    ',',
    '+',
    '-',
    '0',
    '9'.repeat(20),
    '1e999',
  ],
  ...[
    'Content-Length: 5',
    'Content-Length: 999999999',
    'Content-Length: -1',
    'Content-Length: 5\r\nContent-Length: 6',
  ],
  ...[
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: xchunked',
    'Expect: 100-continue',
    'Expect: 200-ok',
  ],
  ...[
    'Connection: close',
    'Connection: upgrade\r\nUpgrade: websocket',
    'Host: evil.example',
    'X: y\r\n folded',
  ],
  ...[
    'Content-Type: application/json; charset=utf-16',
    'Content-Type: multipart/form-data',
    'Content-Encoding: gzip',
  ],
  ...[
    'Origin: null',
    'Sec-Fetch-Site: cross-site',
    'If-None-Match: *',
    'Range: bytes=0-1',
    'X-HTTP-Method-Override: PUT',
  ],
  ...[
    '5\r\nhello\r\n0\r\n\r\n',
    'ffffffffffffffff\r\n',
    ' HTTP/1.0',
    ' HTTP/2.0',
    'http://evil.example',
    '//',
    '/../',
    '*',
  ],
].map((text) => Buffer.from(text.includes(': ') ? `\r\n${text}` : text, 'latin1'))

/** Mutations of a part of any request. */
export const mutations: fc.Arbitrary<(wire: Wire) => Wire> = fc
  .record({
    part: fc.constantFrom('head' as const, 'head' as const, 'body' as const),
    mutate: fc.constantFrom(...Object.values(MUTATIONS)),
    // Position as a share of the length, in 65,536ths.
    place: fc.nat(0xffff),
    length: fc.integer({ min: 1, max: 24 }),
    piece: fc.constantFrom(...PIECES),
  })
  .map(({ part, mutate, place, length, piece }) => (wire) => {
    const name = wire[part].length > 0 ? part : 'head'
    const bytes = wire[name]
    const at = Math.floor((place / 0x10000) * bytes.length)
    return { ...wire, [name]: Buffer.concat(mutate(bytes, at, length, piece)) }
  })
