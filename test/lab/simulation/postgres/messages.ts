/** Message of PostgreSQL's protocol (version 3), with its length and type. */
export interface Message {
  /** Letter of the message type. The first message of a client has none. */
  readonly type: string
  readonly bytes: Buffer
}

const LENGTH_BYTES = 4

/**
 * Creates a function that splits received bytes into whole messages.
 * @param begins true if the first message has no type
 */
export function createCutter(begins: boolean): (chunk: Buffer) => readonly Message[] {
  let rest: Buffer = Buffer.alloc(0)
  let typeBytes = begins ? 0 : 1
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const messages: Message[] = []
    while (rest.length >= typeBytes + LENGTH_BYTES) {
      const length = typeBytes + rest.readUInt32BE(typeBytes)
      if (rest.length < length) break
      messages.push({
        type: rest.toString('latin1', 0, typeBytes),
        bytes: rest.subarray(0, length),
      })
      rest = rest.subarray(length)
      typeBytes = 1
    }
    return messages
  }
}

/**
 * Reads the SQL of a message `Query`, or of `Parse` after the name of the statement.
 * @returns undefined for other messages
 */
export function sqlOf({ type, bytes }: Message): string | undefined {
  const texts = () => bytes.toString('utf8', 1 + LENGTH_BYTES).split('\0')
  return type === 'Q' ? texts()[0] : type === 'P' ? texts()[1] : undefined
}

/** Reads the id of the server's process from `BackendKeyData`. */
export const processIdOf = ({ bytes }: Message): number => bytes.readInt32BE(1 + LENGTH_BYTES)
