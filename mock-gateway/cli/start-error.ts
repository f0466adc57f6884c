import { makePrintable } from '../domain/characters.ts'

/**
 * Error of a command. The message is one sentence for the terminal of the operator, and can quote an
 * argument or an answer.
 */
export class StartError extends Error {
  override readonly name = 'StartError'
  /** 2 when the command line is wrong, 0 when only a text was asked for, 1 for everything else. */
  readonly exitCode: 0 | 1 | 2

  constructor(message: string, exitCode: 0 | 1 | 2 = 1, options?: ErrorOptions) {
    super(makePrintable(message), options)
    this.exitCode = exitCode
  }
}

/** Returns an error's text in few words, without a full stop. */
export const findReason = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException
  return ((code && REASONS[code]) ?? message ?? String(error)).replace(/\.$/, '')
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is already in use',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'permission is denied',
  ENOENT: 'the file or folder does not exist',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'a file with this name exists',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  ECONNREFUSED: 'no server answers there',
}
